import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { fieldsOf, stringAt, valueAt, withValue } from '../src/contract/json.ts'
import { lists } from '../src/plans/lists.ts'
import { type Plan, sendValid } from '../src/plans/plan.ts'
import { type RunOptions, run } from '../src/run.ts'
import type { Target } from '../src/send/guard.ts'
import { fetchTransport } from '../src/send/transport.ts'
import { changed, partner as credentials, type Edit, openSandbox, other } from './service.ts'

interface Options extends Pick<RunOptions, 'only' | 'operations' | 'plans'> {
  readonly edit?: Edit
  readonly ask?: (body: string) => string
  readonly again?: RunOptions['plans']
}

/**
 * Runs the plans on a sandbox in this process, and the plans `again` on what the run has left
 * there.
 */
async function runOn(target: Target, { edit, ask, again, ...selection }: Options = {}) {
  const sandbox = await openSandbox(edit)
  const transport = fetchTransport(async (request) => {
    if (!ask || !request.body) return sandbox.fetch(request)
    return sandbox.fetch(new Request(request, { body: ask(await request.clone().text()) }))
  })
  const service = { url: 'http://127.0.0.1', credentials, other, target, transport, lagMs: 20 }
  // Without a clock that it can move, a run waits for retries.
  const times = { rate: 5_000, timeMs: 60_000, deliveryWithinMs: 60_000 }
  const result = await run({ ...service, ...times, ...selection })
  const second = again && (await run({ ...service, plans: again }))
  await sandbox.close()
  return { ...result, second, passed: sandbox.passed }
}

test('it finds nothing on a new or used sandbox, and gets every case that the plans want', async () => {
  const { findings, verdicts, rules, leftovers, requests, second } = await runOn('sandbox', {
    again: [lists],
  })
  const found = [...findings, ...(second?.findings ?? [])].map(
    ({ id, message }) => `${id} ${message}`,
  )
  const inconclusive = rules.filter(({ status }) => status === 'inconclusive')
  expect({ found, inconclusive, leftovers }).toEqual({ found: [], inconclusive: [], leftovers: [] })
  expect(requests).toBeLessThan(3_000)
  const confirmed = verdicts.flatMap(({ question, verdict }) =>
    verdict === 'confirmed' ? [question] : [],
  )
  expect(confirmed).toEqual(
    expect.arrayContaining(['errors', 'initiation', 'webhook-statuses', 'paging']),
  )
  // No code of the sandbox leaves the amount to the payer.
  expect(confirmed).not.toContain('code-value-change')
  expect(confirmed.length).toBeGreaterThan(55)
})

test('it looks at a list again with a new token, if its own has expired', async () => {
  const plan: Plan = {
    id: 'expiring',
    wants: [],
    async run(context) {
      await sendValid(context, 'createWebhook')
      await context.send('listWebhooks')
      await context.clock.advance(7_200)
    },
  }
  const edit = withBody('/partner/webhook/', () => ({ data: [] }))
  const { findings } = await runOn('sandbox', { edit, plans: [plan] })
  expect(findings).toMatchObject([{ rule: 'lists-whole' }])
})

/** Changes the body of each success whose path ends so. */
const withBody =
  (path: string, change: (body: unknown) => unknown): Edit =>
  async (response, { url }) => {
    const { headers, status, ok } = response
    return ok && url.endsWith(path)
      ? Response.json(change(await response.json()), { headers, status })
      : undefined
  }

let cost = 0
let image: string | undefined
let paid: unknown
let lookedUp: unknown
let usual: Record<string, unknown> | undefined
/** Bugs by the plan and the finding that shows them. One run of a plan finds all of its own. */
const planted: Readonly<Record<string, Edit>> = {
  'lifecycles records-shown@getWebhook': (response, { method, url }) =>
    method === 'GET' && /webhook\/.+/.test(url) ? changed(response, { type: 'qrcode' }) : undefined,
  'boundaries requests-accepted@createImmediateQrCode': async (_, request) => {
    const isLong = request.method === 'POST' && /"message":"[^"]{140}"/.test(await request.text())
    return isLong ? Response.json({ code: 'invalid_request' }, { status: 400 }) : undefined
  },
  'causes refusals-causes@checkKey': async (response, { url }) => {
    if (!url.endsWith('/dict/check/')) return undefined
    if (response.ok) lookedUp = await response.json()
    return Response.json(lookedUp)
  },
  // The image of the code before.
  'causes codes-images@createStaticQrCode': withBody('/qrcode/static/', (body) => {
    const shown = withValue(body, '/qrcode_image', image ?? stringAt(body, '/qrcode_image'))
    image = stringAt(body, '/qrcode_image')
    return shown
  }),
  'later codes-expiration@checkCode': withBody('/emv/', (body) =>
    withValue(body, '/expiration', '2026-01-01T00:00:00Z'),
  ),
  // The interest of the third day is forgotten.
  'later money-due@checkCode': withBody('/emv/', (body) =>
    withValue(
      withValue(body, '/interest', '0'),
      '/final_amount',
      stringAt(body, '/original_amount'),
    ),
  ),
  // Refused transfers cost a centavo.
  'payments money-moved@createTransfer': withBody('/_sandbox/state', (body) =>
    withValue(body, '/accounts/1/balance', `${900 - cost++ / 100}`),
  ),
  'lists lists-whole@listWebhooks': withBody('/webhook/', (body) =>
    withValue(body, '/data', Object.values(fieldsOf(valueAt(body, '/data'))).slice(0, 20)),
  ),
  'identities access-credentials@listUsers': (_, { url, headers }) =>
    url.endsWith('/user') && !headers.has('authorization')
      ? Response.json({ users: [] })
      : undefined,
  'races once-used@createTransfer': async (response, { url }) => {
    if (!url.endsWith('/pix/out/')) return undefined
    if (response.ok) paid = await response.json()
    return response.status === 409 ? Response.json(paid, { status: 201 }) : undefined
  },
  // Only two unusual values at once fail.
  'random responses-errors@createImmediateQrCode': async (_, request) => {
    if (!request.url.endsWith('/immediate') || request.method !== 'POST') return undefined
    const sent = (await request.json()) as Record<string, unknown>
    usual ??= sent
    const fields = ['message', 'payer', 'calendar']
    const unusual = fields.filter((it) => !isDeepStrictEqual(sent[it], usual?.[it]))
    return unusual.length > 1 ? new Response(null, { status: 500 }) : undefined
  },
}

for (const [plan = '', rows] of Map.groupBy(
  Object.entries(planted),
  ([key]) => key.split(' ')[0],
)) {
  const expected = rows.map(([key]) => key.replace(/.* /, ''))
  test(`it finds ${expected.join(' and ')} by the plan "${plan}"`, async () => {
    const edit: Edit = async (response, request) => {
      let edited: Response | undefined
      for (const [, edit] of rows)
        edited = (await edit((edited ?? response).clone(), request.clone())) ?? edited
      return edited
    }
    const operations = expected.map((it) => it.replace(/.*@/, ''))
    const { findings } = await runOn('sandbox', { edit, only: [plan], operations })
    const found = findings.map(({ rule, operation }) => `${rule}@${operation}`)
    expect(found).toEqual(expect.arrayContaining(expected))
  })
}

test('it finds values beyond their limits that a service cuts', async () => {
  const cut = (body: string) => body.replace(/("message":"[^"]{140})[^"]*/, '$1')
  const operations = ['createImmediateQrCode']
  const { findings } = await runOn('sandbox', { only: ['breaks'], operations, ask: cut })
  expect(findings.map(({ rule }) => rule)).toContain('refusals-invalid')
})

test('it sends a live service no payment, and removes what it has created', async () => {
  const { passed, notSent, leftovers } = await runOn('live', { only: ['examples'] })
  expect(passed.join()).toContain('POST /mobile-bff/v1/partner/webhook 201')
  expect(passed.join()).not.toContain('POST /mobile-bff/v1/pix/out/')
  expect(notSent).toContain('not sent: payments on a live service need --allow-payments')
  expect(leftovers).toEqual([])
})
