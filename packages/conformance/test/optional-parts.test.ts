import { expect, test } from 'vitest'
import { stringAt, valueAt } from '../src/contract/json.ts'
import { type CheckOptions, check, createFetchTransport } from '../src/index.ts'
import type { Plan } from '../src/plans/plan.ts'
import { createRefusedParts, withRefusedParts } from '../src/run/refused-parts.ts'
import type { Input } from '../src/send/requests.ts'
import { requestsOf } from './plan-context.ts'
import { partner as credentials, openSandbox, other } from './service.ts'

interface Sent {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** Which field of a request the service refuses; undefined if it refuses none. */
type FindRefused = (sent: Sent) => string | undefined

/** Checks a sandbox that refuses fields of requests, and names them unless told otherwise. */
async function checkRefusing(
  findRefused: FindRefused,
  options: Partial<CheckOptions>,
  { namesFields = true } = {},
) {
  const { fetch, close } = await openSandbox()
  const accepted: Sent[] = []

  async function fetchUnlessRefused(request: Request): Promise<Response> {
    const text = await request.clone().text()
    const sent = { method: request.method, path: new URL(request.url).pathname, body: parse(text) }
    const at = findRefused(sent)
    if (at !== undefined) {
      const refusal = namesFields ? { errors: [{ at, code: 'PX-1422' }] } : { code: 'no' }
      return Response.json(refusal, { status: 422 })
    }
    const response = await fetch(request)
    if (response.ok) accepted.push(sent)
    return response
  }

  const result = await check({
    target: 'sandbox',
    url: 'http://127.0.0.1',
    credentials,
    other,
    transport: createFetchTransport(fetchUnlessRefused),
    ...options,
  }).finally(close)
  return { result, accepted }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isPayment = ({ path }: Sent) => path.endsWith('/pix/out/')
const refuseInPayments =
  (field: string): FindRefused =>
  (sent) =>
    isPayment(sent) && valueAt(sent.body, field) !== undefined ? field : undefined
const ofPayments = { only: ['boundaries'], operations: ['createTransfer'] }

test('it names the part of a payment that was refused, and sends the others', async () => {
  const { result, accepted } = await checkRefusing(refuseInPayments('/payment_date'), ofPayments)
  expect(result.notSent).toEqual([
    'not tried: createTransfer with /payment_date, which was never accepted (422): the refusal names /payment_date; set a value that the service accepts with --set createTransfer/payment_date=VALUE',
  ])
  const payments = accepted.filter(isPayment)
  expect(payments.length).toBeGreaterThan(20)
  expect(payments.filter(({ body }) => valueAt(body, '/beneficiary') !== undefined)).not.toEqual([])
})

test('it finds the refused one of several parts where the refusal names none', async () => {
  const { result } = await checkRefusing(refuseInPayments('/beneficiary'), ofPayments, {
    namesFields: false,
  })
  expect(result.notSent).toEqual([
    'not tried: createTransfer with /beneficiary, which was never accepted (422)',
  ])
  expect(result.rules.find(({ rule }) => rule === 'requests-accepted')?.status).toBe('inconclusive')
})

test('it sends the description that the user sets', async () => {
  const values = { createTransfer: { '/description': 'Pedido 7' } }
  const { accepted } = await checkRefusing(() => undefined, { ...ofPayments, values })
  const [first] = accepted.filter(({ body }) => valueAt(body, '/payment_date') !== undefined)
  expect(stringAt(first?.body, '/description')).toBe('Pedido 7')
})

const refuseType =
  (...types: readonly string[]): FindRefused =>
  ({ method, path, body }) => {
    const isCreation = method === 'POST' && /\/partner\/webhook\/?$/.test(path)
    return isCreation && types.includes(stringAt(body, '/type') ?? '') ? '/type' : undefined
  }
const ofWebhooks = { only: ['lifecycles'], operations: ['createWebhook'] }

test('it names the words for types of webhooks that were never accepted', async () => {
  const { result } = await checkRefusing(refuseType('transfer', 'qrcode'), ofWebhooks)
  expect(result.notSent).toEqual([
    `not tried: createWebhook with /type "transfer", which was never accepted (422): the refusal names /type; name the service's word for transfer with --set webhook/type/transfer=WORD`,
    `not tried: createWebhook with /type "qrcode", which was never accepted (422): the refusal names /type; name the service's word for qrcode with --set webhook/type/qrcode=WORD`,
  ])
})

test('it advises a word where the refusal names nothing, and none that is set', async () => {
  const values = { webhook: { '/type/qrcode': 'charge' } }
  const { result } = await checkRefusing(
    refuseType('transfer', 'charge'),
    { ...ofWebhooks, values },
    { namesFields: false },
  )
  expect(result.notSent).toEqual([
    `not tried: createWebhook with /type "transfer", which was never accepted (422): if /type is the reason, name the service's word for transfer with --set webhook/type/transfer=WORD`,
    'not tried: createWebhook with /type "qrcode", which was never accepted (422)',
  ])
})

test('it says nothing of a right service', async () => {
  const { result } = await checkRefusing(() => undefined, {
    only: ['breaks', 'boundaries', 'causes', 'lifecycles', 'money-due'],
  })
  expect(result.notSent).toEqual([])
})

test.each([
  { title: 'a plain request', intent: undefined, expected: ['/type'] },
  { title: 'a variant, which may be wrong on purpose', intent: { edit: '/url' }, expected: [] },
])('it collects of $title: $expected', async ({ intent, expected }) => {
  const refusedParts = createRefusedParts()
  async function send(_: string, { body }: Input = {}) {
    const isAccepted = stringAt(body, '/type') === 'all'
    return { sentAt: 1, status: isAccepted ? 201 : 422, isAccepted, json: {} }
  }
  const plan: Plan = {
    id: 'two webhooks',
    wants: [],
    async run(context) {
      const noting = withRefusedParts(context, refusedParts)
      await noting.send('createWebhook', { body: { type: 'all' } })
      await noting.send('createWebhook', { body: { type: 'transfer' }, ...(intent && { intent }) })
    },
  }
  await requestsOf(plan, { send: Object.assign(send, { cleanUp: async () => [] }) })
  expect(refusedParts.list().map(({ pointer }) => pointer)).toEqual(expected)
})
