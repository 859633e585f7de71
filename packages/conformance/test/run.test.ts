import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { fieldsOf, stringAt, valueAt, withValue } from '../src/contract/json.ts'
import { plans } from '../src/plans/index.ts'
import { lists } from '../src/plans/lists.ts'
import type { Plan } from '../src/plans/plan.ts'
import { sendValidRequest } from '../src/plans/send-valid.ts'
import { rules } from '../src/rules/index.ts'
import type { RunOptions } from '../src/run/settings.ts'
import { run } from '../src/run.ts'
import type { Target } from '../src/send/guard.ts'
import { fetchTransport } from '../src/send/transport.ts'
import { changed, partner as credentials, type Edit, openSandbox, other } from './service.ts'

interface Options
  extends Pick<RunOptions, 'only' | 'operations' | 'plans' | 'values' | 'isSideBySide'> {
  readonly edit?: Edit
  /** Changes the body of each request. */
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
    const body = ask(await request.clone().text())
    return sandbox.fetch(new Request(request, { body }))
  })
  const service = {
    url: 'http://127.0.0.1',
    credentials,
    other,
    target,
    transport,
    lagMs: 20,
  }
  // Without a clock that it can move, a run waits for retries.
  const times = { rate: 5_000, timeMs: 60_000, deliveryWithinMs: 60_000 }

  const result = await run({ ...service, ...times, ...selection })
  const second = again ? await run({ ...service, plans: again }) : undefined
  await sandbox.close()
  return { ...result, second, passed: sandbox.passed }
}

test('it finds nothing on a new or used sandbox, and gets every case that the plans want', async () => {
  const { findings, verdicts, rules, leftovers, second } = await runOn('sandbox', {
    again: [lists],
  })
  const ofBoth = [...findings, ...(second?.findings ?? [])]
  const found = ofBoth.map(({ id, message }) => `${id} ${message}`)
  const inconclusive = rules.filter(({ status }) => status === 'inconclusive')
  expect({ found, inconclusive, leftovers }).toEqual({ found: [], inconclusive: [], leftovers: [] })
  const confirmed = verdicts
    .filter(({ verdict }) => verdict === 'confirmed')
    .map(({ question }) => question)
  expect(confirmed).toEqual(
    expect.arrayContaining([
      'code-value-change',
      'event-kinds',
      'initiation',
      'paging',
      'payer-fields',
      'qr-record',
      'webhook-statuses',
    ]),
  )
  // The run causes neither each code of an error nor a time-out.
  const inPart = verdicts.filter(({ verdict }) => verdict === 'partly-confirmed')
  expect(inPart.map(({ question }) => question)).toEqual(
    expect.arrayContaining(['delivery', 'errors', 'user-fields']),
  )
  // On these days, the texts of the standard contradict each other.
  expect(confirmed).not.toContain('late-days')
  expect(confirmed.length).toBeGreaterThan(54)
})

test('it finds nothing where it sends independent requests side by side, with the same cases', async () => {
  const { findings, rules, interrupted, verdicts } = await runOn('sandbox', { isSideBySide: true })
  const found = findings.map(({ id, message }) => `${id} ${message}`)
  const inconclusive = rules.filter(({ status }) => status === 'inconclusive')
  expect({ found, inconclusive, interrupted }).toEqual({ found: [], inconclusive: [] })
  const confirmed = verdicts.filter(({ verdict }) => verdict === 'confirmed')
  expect(confirmed.length).toBeGreaterThan(54)
})

test.each([
  { title: 'before the run moves it again', isMovedAgain: true },
  { title: 'after the last move of the run', isMovedAgain: false },
])(
  'it has no result if somebody else moves the clock of a sandbox $title',
  async ({ isMovedAgain }) => {
    const sandbox = await openSandbox()
    const plan: Plan = {
      id: 'moves',
      wants: [],
      async run({ clock }) {
        await clock.advance(60)
        await sandbox.fetch(
          new Request('http://127.0.0.1/_sandbox/clock', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{"advance_seconds":3600}',
          }),
        )
        if (isMovedAgain) await clock.advance(60)
      },
    }
    const running = run({
      url: 'http://127.0.0.1',
      credentials,
      other,
      target: 'sandbox',
      transport: fetchTransport(sandbox.fetch),
      plans: [plan],
    })
    await expect(running).rejects.toThrow('somebody else moved the clock of the sandbox')
    await sandbox.close()
  },
)

test('it looks at a list again with a new token, if its own has expired', async () => {
  const plan: Plan = {
    id: 'expiring',
    wants: [],
    async run(context) {
      await sendValidRequest(context, 'createWebhook')
      await context.send('listWebhooks')
      await context.clock.advance(7_200)
    },
  }
  const edit = withBody('/partner/webhook/', () => ({ data: [] }))
  const { findings } = await runOn('sandbox', { edit, plans: [plan] })
  expect(findings).toMatchObject([{ rule: 'lists-whole' }])
})

/** Changes the body of each success whose path ends so. */
function withBody(path: string, change: (body: unknown) => unknown): Edit {
  return async (response, { url }) => {
    const { headers, status, ok } = response
    if (!ok || !url.endsWith(path)) return undefined
    const body = change(await response.json())
    return Response.json(body, { headers, status })
  }
}

/** A bug, the plan that shows it, and the finding that names it, as `rule@operation`. */
interface Bug {
  readonly plan: string
  readonly finds: string
  readonly edit: Edit
}

// What the bugs remember of earlier requests.
let reads = 0
let image: string | undefined
let paid: unknown
let lookedUp: unknown
let usual: Record<string, unknown> | undefined

const BUGS: readonly Bug[] = [
  {
    plan: 'lifecycles',
    finds: 'records-shown@getWebhook',
    edit(response, { method, url }) {
      const isRead = method === 'GET' && /webhook\/.+/.test(url)
      return isRead ? changed(response, { type: 'qrcode' }) : undefined
    },
  },
  {
    plan: 'boundaries',
    finds: 'requests-accepted@createImmediateQrCode',
    async edit(_, request) {
      if (request.method !== 'POST') return undefined
      const isLong = /"message":"[^"]{140}"/.test(await request.text())
      return isLong ? Response.json({ code: 'invalid_request' }, { status: 400 }) : undefined
    },
  },
  {
    plan: 'causes',
    finds: 'refusals-causes@checkKey',
    async edit(response, { url }) {
      if (!url.endsWith('/dict/check/')) return undefined
      if (response.ok) lookedUp = await response.json()
      return Response.json(lookedUp)
    },
  },
  {
    // The image of the code before.
    plan: 'causes',
    finds: 'codes-images@createStaticQrCode',
    edit: withBody('/qrcode/static/', (body) => {
      const own = stringAt(body, '/qrcode_image')
      const shown = withValue(body, '/qrcode_image', image ?? own)
      image = own
      return shown
    }),
  },
  {
    plan: 'later',
    finds: 'codes-expiration@checkCode',
    edit: withBody('/emv/', (body) => withValue(body, '/expiration', '2026-01-01T00:00:00Z')),
  },
  {
    // The interest of the third day is forgotten.
    plan: 'later',
    finds: 'money-due@checkCode',
    edit: withBody('/emv/', (body) => {
      const withoutInterest = withValue(body, '/interest', '0')
      return withValue(withoutInterest, '/final_amount', stringAt(body, '/original_amount'))
    }),
  },
  {
    // Refused transfers seem to cost a centavo: each look at the balance shows one less.
    plan: 'payments',
    finds: 'money-moved@createTransfer',
    edit: withBody('/_sandbox/state', (body) => {
      const balance = String(900 - reads / 100)
      reads++
      return withValue(body, '/accounts/1/balance', balance)
    }),
  },
  {
    plan: 'lists',
    finds: 'lists-whole@listWebhooks',
    edit: withBody('/webhook/', (body) => {
      const records = Object.values(fieldsOf(valueAt(body, '/data')))
      return withValue(body, '/data', records.slice(0, 20))
    }),
  },
  {
    plan: 'identities',
    finds: 'access-credentials@listUsers',
    edit(_, { url, headers }) {
      const isAnonymous = url.endsWith('/user') && !headers.has('authorization')
      return isAnonymous ? Response.json({ users: [] }) : undefined
    },
  },
  {
    plan: 'races',
    finds: 'once-used@createTransfer',
    async edit(response, { url }) {
      if (!url.endsWith('/pix/out/')) return undefined
      if (response.ok) paid = await response.json()
      return response.status === 409 ? Response.json(paid, { status: 201 }) : undefined
    },
  },
  {
    // Only two unusual values at once fail.
    plan: 'random',
    finds: 'responses-errors@createImmediateQrCode',
    async edit(_, request) {
      if (!request.url.endsWith('/immediate') || request.method !== 'POST') return undefined
      const sent = (await request.json()) as Record<string, unknown>
      usual ??= sent
      const fields = ['message', 'payer', 'calendar']
      const unusual = fields.filter((name) => !isDeepStrictEqual(sent[name], usual?.[name]))
      return unusual.length > 1 ? new Response(null, { status: 500 }) : undefined
    },
  },
]

// One run of a plan finds all of its bugs.
for (const [plan, bugs] of Map.groupBy(BUGS, (bug) => bug.plan)) {
  const expected = bugs.map(({ finds }) => finds)
  test(`it finds ${expected.join(' and ')} by the plan "${plan}"`, async () => {
    const operations = expected.map((place) => place.replace(/.*@/, ''))
    const { findings } = await runOn('sandbox', { edit: inTurn(bugs), only: [plan], operations })
    const found = findings.map(({ rule, operation }) => `${rule}@${operation}`)
    expect(found).toEqual(expect.arrayContaining(expected))
  })
}

/** Each bug edits what the one before it has made of the response. */
function inTurn(bugs: readonly Bug[]): Edit {
  return async (response, request) => {
    let edited: Response | undefined
    for (const { edit } of bugs) {
      const shown = edited ?? response
      edited = (await edit(shown.clone(), request.clone())) ?? edited
    }
    return edited
  }
}

test('it reads JSON of another media type, and says once what is wrong with it', async () => {
  const edit: Edit = (response) => {
    const headers = new Headers(response.headers)
    if (headers.has('content-type')) headers.set('content-type', 'text/plain')
    return new Response(response.body, { status: response.status, headers })
  }
  const { findings } = await runOn('sandbox', {
    edit,
    only: ['access', 'responses'],
    plans: plans.filter(({ id }) => id === 'examples' || id === 'identities'),
  })
  const rules = new Set(findings.map(({ rule }) => rule))
  expect([...rules]).toEqual(['responses-media-type'])
})

test('it finds values beyond their limits that a service cuts', async () => {
  const cut = (body: string) => body.replace(/("message":"[^"]{140})[^"]*/, '$1')
  const operations = ['createImmediateQrCode']
  const { findings } = await runOn('sandbox', { only: ['breaks'], operations, ask: cut })
  expect(findings.map(({ rule }) => rule)).toContain('refusals-invalid')
})

test('it sends a live service no payment, and removes what it has created', async () => {
  const values = { checkKey: { '/dict_key': 'beltrana@example.com' } }
  const { passed, notSent, leftovers } = await runOn('live', { only: ['examples'], values })
  expect(passed.join()).toContain('POST /mobile-bff/v1/partner/webhook 201')
  expect(passed.join()).not.toContain('POST /mobile-bff/v1/pix/out/')
  expect(notSent).toContain('not sent: payments on a live service need --allow-payments')
  expect(leftovers).toEqual([])
})

test('it looks up no key of a live service that the user does not name, and acts for nobody', async () => {
  const { passed, notSent } = await runOn('live', { only: ['examples'] })
  expect(passed.join()).not.toContain('/pix/dict/check/')
  expect(passed.join()).not.toContain('/impersonate/')
  expect(notSent.join()).toContain('--set checkKey/dict_key=KEY')
  expect(notSent.join()).toContain('--set impersonate/user_id=ID')
})

test('each rule that a plan wants a case of is named by its whole id', () => {
  const ids = rules.map(({ id }) => id)
  const unknown = plans.flatMap(({ wants }) => wants).filter((id) => !ids.includes(id))
  expect(unknown).toEqual([])
})
