import { isDeepStrictEqual } from 'node:util'
import { createApp } from '@partner-payments/sandbox'
import { expect, test } from 'vitest'
import { boundaries } from '../src/plans/edits.ts'
import { later } from '../src/plans/later.ts'
import { lists } from '../src/plans/lists.ts'
import { type RunOptions, run } from '../src/run.ts'
import { startReceiver } from '../src/send/receiver.ts'
import { fetchTransport } from '../src/send/transport.ts'

const credentials = {
  partner: { clientKey: 'partner', clientSecret: 'secret' },
  other: { clientKey: 'other', clientSecret: 'secret' },
}

type Edit = (response: Response, request: Request) => Response | Promise<Response>

/** Runs the plans on a sandbox in this process. */
async function runOn(
  target: RunOptions['target'],
  edit: Edit = (it) => it,
  only?: readonly string[],
  ask: (body: string) => string = (it) => it,
) {
  const [app, receiver] = await Promise.all([
    createApp({ limitsRates: false, allowLoopback: true }),
    startReceiver({ timeoutMs: 60_000 }),
  ])
  const sent: string[] = []
  const transport = fetchTransport(async (request) => {
    sent.push(`${request.method} ${new URL(request.url).pathname}`)
    const body = request.body && ask(await request.clone().text())
    return edit(await app.fetch(body === null ? request : new Request(request, { body })), request)
  })
  const result = await run({
    ...credentials,
    ...{ target, transport, rate: 5_000, lagMs: 20, timeMs: 60_000, ...(only && { only }) },
    // Without a clock that it can move, a run waits for retries.
    ...(target === 'sandbox' && { receiver }),
  })
  await Promise.all([app.close(), receiver.close()])
  return { ...result, sent }
}

test('it finds nothing on the sandbox, and gets every case that the plans want', async () => {
  const { findings, inconclusive, leftovers, requests } = await runOn('sandbox')
  const found = findings.map(({ id, message }) => `${id} ${message}`)
  expect({ found, inconclusive, leftovers }).toEqual({ found: [], inconclusive: [], leftovers: [] })
  expect(requests).toBeLessThan(3_000)
})

test('it finds nothing on a sandbox that an earlier run has used', async () => {
  const app = await createApp({ limitsRates: false, allowLoopback: true })
  const transport = fetchTransport(app.fetch)
  const runAgain = () =>
    run({ ...credentials, target: 'sandbox', transport, lagMs: 20, plans: [boundaries, lists, later] })
  await runAgain()
  const { findings } = await runAgain()
  await app.close()
  expect(findings.map(({ id, message }) => `${id} ${message}`)).toEqual([])
})

let paid: unknown
let lookedUp: unknown
let usual: Record<string, unknown> | undefined
const otherType: Edit = (response, { method, url }) =>
  method === 'GET' && /webhook\/.+/.test(url) ? edited(response, { type: 'qrcode' }) : response
const planted: readonly (readonly [plan: string, finding: string, edit: Edit])[] = [
  ['examples', 'records-shown@getWebhook', otherType],
  ['lifecycles', 'records-shown@getWebhook', otherType],
  [
    'boundaries',
    'requests-accepted@createImmediateQrCode',
    async (response, request) => {
      const isLong = request.method === 'POST' && /"message":"[^"]{140}"/.test(await request.clone().text())
      return isLong ? Response.json({ code: 'invalid_request' }, { status: 400 }) : response
    },
  ],
  [
    'causes',
    'refusals-causes@checkKey',
    async (response, request) => {
      if (!request.url.endsWith('/dict/check/')) return response
      if (response.ok) lookedUp = await response.clone().json()
      return response.ok ? response : Response.json(lookedUp)
    },
  ],
  [
    'later',
    'codes-expiration@checkCode',
    (response, { url }) =>
      url.endsWith('/emv/') ? edited(response, { expiration: '2026-01-01T00:00:00Z' }) : response,
  ],
  [
    'lists',
    'lists-whole@listWebhooks',
    async (response, { url }) => {
      if (!url.endsWith('/webhook/')) return response
      const { data } = (await response.clone().json()) as { data: unknown[] }
      return edited(response, { data: data.slice(0, 20) })
    },
  ],
  [
    'identities',
    'access-credentials@listUsers',
    (response, { url, headers }) =>
      url.endsWith('/user') && !headers.has('authorization') ? Response.json({ users: [] }) : response,
  ],
  [
    'races',
    'once-used@createTransfer',
    async (response, { url }) => {
      if (!url.endsWith('/pix/out/')) return response
      if (response.ok) paid = await response.clone().json()
      return response.status === 409 ? Response.json(paid, { status: 201 }) : response
    },
  ],
  [
    'random',
    'responses-errors@createImmediateQrCode',
    async (response, request) => {
      if (!request.url.endsWith('/immediate') || request.method !== 'POST') return response
      const sent = (await request.clone().json()) as Record<string, unknown>
      usual ??= sent
      // Only two unusual values at once fail.
      const unusual = ['message', 'payer', 'calendar'].filter(
        (it) => !isDeepStrictEqual(sent[it], usual?.[it]),
      )
      return unusual.length > 1 ? new Response(null, { status: 500 }) : response
    },
  ],
]

for (const [plan, finding, edit] of planted)
  test(`it finds ${finding} by the plan "${plan}"`, async () => {
    const { findings } = await runOn('sandbox', edit, [plan])
    expect(findings.map(({ rule, operation }) => `${rule}@${operation}`)).toContain(finding)
  })

test('it finds values beyond their limits that a service cuts', async () => {
  const cut = (body: string) => body.replace(/("message":"[^"]{140})[^"]*/, '$1')
  const { findings } = await runOn('sandbox', undefined, ['breaks'], cut)
  const found = findings.filter(({ rule }) => rule === 'refusals-invalid').map((it) => it.operation)
  expect(found.sort()).toEqual(['createDueDateQrCode', 'createImmediateQrCode'])
})

/** A successful response with other fields. */
async function edited(response: Response, fields: object): Promise<Response> {
  if (!response.ok) return response
  const { headers } = response
  return Response.json({ ...((await response.json()) as object), ...fields }, { headers })
}

test('it sends a live service no payment, and removes what it has created', async () => {
  const { sent, kept, leftovers } = await runOn('live')
  expect(sent).not.toContain('POST /mobile-bff/v1/pix/out/')
  expect(kept).toContain('not sent: payments on a live service need --allow-payments')
  expect(leftovers).toEqual([])
})
