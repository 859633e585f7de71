import openapi from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { type CheckOptions, check, createFetchTransport } from '../src/index.ts'
import { summarize } from '../src/report/summary.ts'
import {
  changed,
  partner as credentials,
  type Edit,
  KEYS,
  openSandbox,
  other,
  WEBHOOKS,
} from './service.ts'

/** Checks a sandbox in this process by one plan, with an edit of its responses. */
async function checkSandbox(options: Partial<CheckOptions> = {}, edit?: Edit) {
  const { fetch, close } = await openSandbox(edit)
  const checking = check({
    target: 'sandbox',
    url: 'http://127.0.0.1',
    credentials,
    other,
    transport: createFetchTransport(fetch),
    only: ['examples'],
    ...options,
  })
  return checking.finally(close)
}

test('it has a result for each rule and each open question, and what was covered', async () => {
  const result = await checkSandbox()
  expect(result.findings).toEqual([])
  expect(result.rules.find(({ rule }) => rule === 'responses-shape')).toMatchObject({
    subject: 'responses',
    status: 'passed',
    says: expect.any(String),
  })
  expect(result.rules.find(({ rule }) => rule === 'deliveries-signed')?.status).toBe('not-assessed')
  expect(result.verdicts.length).toBeGreaterThan(70)
  expect(result.coverage.operations.every(({ successes }) => successes > 0)).toBe(true)
  expect(result).toMatchObject({
    url: 'http://127.0.0.1/',
    leftovers: [],
    seed: 1,
    contract: { title: 'Partner payments' },
  })
})

test('it rejects if a response cannot be read', async () => {
  const headers = {
    get 'content-type'(): string {
      throw new Error('broken headers')
    },
  }
  const transport = async () => ({ status: 200, headers, text: '{}' })
  const checking = checkSandbox({ transport, isDisposable: true })
  await expect(checking).rejects.toThrow('broken headers')
})

test('it sends the values that the user sets', async () => {
  const bodies: unknown[] = []
  const values = {
    checkKey: { '/dict_key': '11222333000181' },
    createTransfer: { '/amount': '0.02' },
  }
  await checkSandbox({ values }, async (_, request) => {
    if (request.body) bodies.push(await request.json())
    return undefined
  })
  expect(bodies).toContainEqual({ dict_key: '11222333000181' })
  expect(bodies).toContainEqual(
    expect.objectContaining({ amount: '0.02', dict_key: '11222333000181' }),
  )
})

test('it shows of a finding what it rests on, the exchange, and commands without secrets', async () => {
  const { findings, signIn } = await checkSandbox({}, (response, { method, url }) => {
    const isList = method === 'GET' && url.endsWith(`${WEBHOOKS}/`)
    return isList ? changed(response, { data: 7 }) : undefined
  })
  const found = findings.find(({ rule }) => rule === 'responses-shape')
  expect(found).toMatchObject({
    operation: 'listWebhooks',
    kind: 'failure',
    severity: 'error',
    message: expect.stringContaining('/data: expected array'),
    evidence: { method: 'GET', status: 200, response: '{"data":7}' },
  })
  expect(found?.advice).not.toBe('')
  expect(found?.evidence.curl).toBe(
    `curl -sS -i --path-as-is --globoff -X GET -H "authorization: Bearer $TOKEN" 'http://127.0.0.1${WEBHOOKS}/'`,
  )
  expect(signIn).toMatch(/^CREDENTIALS=.*\nTOKEN=/)
})

test('it reports findings of the named operations alone', async () => {
  const options = { only: ['boundaries'], operations: ['checkKey'] }
  const { findings } = await checkSandbox(options, (response) =>
    changed(response, { brand_new: 1 }),
  )
  expect(findings.map(({ id }) => id)).toEqual(['responses-known:checkKey:ae3573aa'])
})

test('it masks secrets wherever a service repeats them', async () => {
  let token = ''
  const result = await checkSandbox({}, async (response, { headers, url }) => {
    const [, credentials] = headers.get('authorization')?.split(' ') ?? []
    token = credentials ?? token
    if (!url.includes(KEYS)) return undefined
    return changed(response, { ispb: `${token} ${btoa('partner:secret')}` })
  })
  expect(result.findings.length).toBeGreaterThan(0)
  const text = JSON.stringify(result.findings)
  for (const secret of [token, btoa('partner:secret'), 'whsec_A'])
    expect(text).not.toContain(secret)
})

test('it masks a secret that is a word in values alone', async () => {
  const { findings } = await checkSandbox({}, (response, { url }) => {
    if (!url.endsWith('/partner/user')) return undefined
    return changed(response, { secret: 'secret', next_cursor: 'secret' })
  })
  const found = findings.find(({ message }) => message.startsWith('/secret'))
  expect(found?.evidence.response).not.toContain('"secret":"secret"')
  expect(found?.evidence.response).toContain('"next_cursor":"$CLIENT_SECRET"')
})

test('it says what it could not try, and passes no rule on valid requests', async () => {
  const result = await checkSandbox({}, (response, { url }) =>
    url.includes(KEYS) ? changed(response, { initiation_id: 'ini_wrong' }) : undefined,
  )
  const ofTransfers = result.notSent.filter((line) => line.includes('createTransfer'))
  expect(ofTransfers).toEqual([
    'not tried: what builds on a valid createTransfer (example 4), of which none was accepted (422): the refusal names /initiation_id',
    'not tried: what builds on a valid createTransfer (example 5), of which none was accepted (422): the refusal names /initiation_id',
  ])
  expect(result.rules.find(({ rule }) => rule === 'requests-accepted')?.status).toBe('inconclusive')
  expect(summarize(result, {})).toContain(
    `, ${result.notSent.length} valid requests never accepted; `,
  )
})

test('it says what may help where the refusal of a payment gives no reason', async () => {
  const forbidden = { type: 'about:blank', title: 'Forbidden', status: 403, code: 'not_allowed' }
  const result = await checkSandbox({}, async (_response, { url }) =>
    url.endsWith('/pix/out/') ? Response.json(forbidden, { status: 403 }) : undefined,
  )
  const ofTransfers = result.notSent.filter((line) => line.includes('createTransfer (example 4)'))
  expect(ofTransfers).toEqual([
    'not tried: what builds on a valid createTransfer (example 4), of which none was accepted (403): if the token is the reason, let a customer send it with --set token/transfer=customer; if the key is the reason, name a key that the service knows with --set checkKey/dict_key=KEY',
  ])
})

test('it names the field that a refusal names, and the option that sets it', async () => {
  const error = { at: '/amount/fine/modality', code: 'PX-1422', text: 'one of value, percentage' }
  const refuseModality = (url: string) =>
    url.includes('/due-date') ? Response.json({ errors: [error] }, { status: 422 }) : undefined
  const { notSent } = await checkSandbox({}, async (_response, { url, method }) =>
    method === 'POST' ? refuseModality(url) : undefined,
  )
  expect(notSent).toContain(
    'not tried: what builds on a valid createDueDateQrCode, of which none was accepted (422): the refusal names /amount/fine/modality; set a value that the service accepts with --set createDueDateQrCode/amount/fine/modality=VALUE',
  )
  // No payment was refused: there was no code to pay.
  expect(notSent).toContain(
    'not tried: what builds on a valid createTransfer (example 3), of which none was accepted',
  )
})

test('it advises nothing about the token where a refusal names the key', async () => {
  const error = { at: '/dict_key', code: 'PX-1440', text: 'not a key of yours' }
  const { notSent } = await checkSandbox({}, async (_response, { url, method }) => {
    const isCreation = method === 'POST' && url.includes('/immediate')
    return isCreation ? Response.json({ errors: [error] }, { status: 403 }) : undefined
  })
  expect(notSent).toContain(
    'not tried: what builds on a valid createImmediateQrCode, of which none was accepted (403): the refusal names /dict_key; name a key of the partner with --set createImmediateQrCode/dict_key=KEY',
  )
})

test('it advises no option that is set', async () => {
  const key = { '/dict_key': '12ABC34501DE35' }
  const values = { createStaticQrCode: key, createImmediateQrCode: key }
  const { notSent } = await checkSandbox({ values }, async (_response, request) => {
    const refusal = Response.json({ code: 'no' }, { status: 422 })
    const { url, method } = request
    if (method === 'POST' && url.includes('/static')) return refusal
    const isPayment = url.endsWith('/pix/out/')
    const isOfCode = isPayment && (await request.clone().text()).includes('"emv"')
    return isOfCode ? refusal : undefined
  })
  expect(notSent).toContain(
    'not tried: what builds on a valid createStaticQrCode, of which none was accepted (422)',
  )
  expect(notSent).toContain(
    'not tried: what builds on a valid createTransfer (example 2), of which none was accepted (422): if a payment to oneself is the reason, name another payer with --set impersonate/user_id=ID --set impersonate/customer_id=ID',
  )
})

test('it names the key of the code where a payment by code alone is refused', async () => {
  const ofCode = { type: 'about:blank', title: 'Same account', status: 422, code: 'same_account' }
  const result = await checkSandbox({}, async (_response, request) => {
    if (!request.url.endsWith('/pix/out/')) return undefined
    const text = await request.clone().text()
    return text.includes('"emv"') ? Response.json(ofCode, { status: 422 }) : undefined
  })
  expect(result.notSent.filter((line) => line.includes('createTransfer'))).toEqual([
    'not tried: what builds on a valid createTransfer, of which none was accepted (422): if a payment to oneself is the reason, name a key of somebody else than the payer with --set createStaticQrCode/dict_key=KEY, or name another payer with --set impersonate/user_id=ID --set impersonate/customer_id=ID',
    'not tried: what builds on a valid createTransfer (example 2), of which none was accepted (422): if a payment to oneself is the reason, name a key of somebody else than the payer with --set createImmediateQrCode/dict_key=KEY, or name another payer with --set impersonate/user_id=ID --set impersonate/customer_id=ID',
    'not tried: what builds on a valid createTransfer (example 3), of which none was accepted (422): if a payment to oneself is the reason, name a key of somebody else than the payer with --set createDueDateQrCode/dict_key=KEY, or name another payer with --set impersonate/user_id=ID --set impersonate/customer_id=ID',
  ])
})

test('it says which field of a record it did not find, and how to name it', async () => {
  const result = await checkSandbox({}, (response, { url, method }) => {
    const isCreation = method === 'POST' && url.endsWith('/dynamic/immediate')
    return isCreation && response.ok
      ? changed(response, { id: undefined, emv: undefined })
      : undefined
  })
  const place = ', and that of the record with --set place/immediateQrCode=POINTER'
  const where = 'was found in what createImmediateQrCode shows; name its place in the record with'
  expect(result.notSent.toSorted()).toEqual([
    `not tried: what builds on a valid cancelImmediateQrCode, of which none was accepted: no id ${where} --set place/immediateQrCode/id=POINTER${place}`,
    `not tried: what builds on a valid checkCode (example 2), of which none was accepted: no payment code ${where} --set place/immediateQrCode/emv=POINTER${place}`,
    `not tried: what builds on a valid createTransfer (example 2), of which none was accepted: no payment code ${where} --set place/immediateQrCode/emv=POINTER${place}`,
  ])
})

test('it calls no refusal wrong of an id whose place was guessed', async () => {
  // Its records show two values that may be the id, and only the one that is no id stands in lists.
  const result = await checkSandbox({}, async (response, { url, method }) => {
    if (!url.includes('/dynamic/immediate') || !response.ok) return undefined
    const isCreation = method === 'POST'
    const body = (await response.clone().json()) as { id: string; data?: { id: string }[] }
    const renamed = ({ id, ...others }: { id: string }) => ({ ...others, number: id.slice(0, 8) })
    const { data } = body
    return Response.json(
      isCreation ? renamed(body) : { ...body, data: data?.map(renamed) },
      response,
    )
  })
  const ofCancel = result.notSent.filter((line) => line.includes('cancelImmediateQrCode'))
  expect(ofCancel).toEqual([
    'not tried: what builds on a valid cancelImmediateQrCode, of which none was accepted (404): the id was taken from /number of the record; if it is another field, name it with --set place/immediateQrCode/id=POINTER',
  ])
  const cancels = result.findings.filter(({ operation }) => operation === 'cancelImmediateQrCode')
  expect(cancels.map(({ message }) => message)).toEqual([])
})

test('it leaves out what a changed copy of the contract does not have', async () => {
  const contract: { paths: Record<string, unknown> } = structuredClone(openapi)
  for (const [path, node] of Object.entries(contract.paths))
    if (JSON.stringify(node).includes('"operationId":"rotateWebhookSecret"'))
      delete contract.paths[path]
  const { coverage, findings } = await checkSandbox({ contract })
  expect(findings).toEqual([])
  expect(coverage.operations.map(({ operation }) => operation)).not.toContain('rotateWebhookSecret')
})

const INVALID_OPTIONS = [
  {
    options: { url: 'localhost' },
    message: 'url must be a URL such as http://127.0.0.1:4020',
  },
  {
    options: { kind: 'sandbox' },
    message: 'check has no option "kind"; it has url, contract, target',
  },
  { options: { target: 'prod' }, message: 'target must be mock, sandbox, live' },
  { options: { only: ['nothing'] }, message: 'only must be a list of rules' },
  { options: { operations: ['none'] }, message: 'the contract has no operation "none"' },
  {
    options: { values: { constructor: { '/amount': '1.00' } } },
    message: 'the contract has no operation "constructor"',
  },
  {
    options: { credentials: { clientKey: 'x' } },
    message: 'credentials must be { clientKey, clientSecret } or { token }',
  },
  { options: { seed: 1.5 }, message: 'seed must be an integer from 0' },
]

for (const { options, message } of INVALID_OPTIONS) {
  test(`it refuses the options ${JSON.stringify(options)}`, async () => {
    const error: unknown = await checkSandbox(options as object).catch((reason) => reason)
    expect(error).toBeInstanceOf(Error)
    expect((error as Error).message.slice(0, message.length)).toBe(message)
  })
}
