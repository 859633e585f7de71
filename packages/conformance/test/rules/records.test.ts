import { expect, it } from 'vitest'
import type { HttpResponse } from '../../src/model/http.ts'
import {
  accepts,
  alters,
  type Body,
  bodyOf,
  both,
  type Fault,
  isSuccess,
  problem,
  reads,
  shows,
  withBody,
  withItems,
} from './broken.ts'
import { CHARGES, found, runOf, WEBHOOKS } from './in-process.ts'

const OPERATIONS = {
  'record-shown': [...WEBHOOKS, ...CHARGES, 'checkKey', 'listUsers', 'getUser'],
  'record-changes': [...WEBHOOKS, ...CHARGES],
  'values-unique': ['createWebhook', 'createImmediateQrCode', 'createDueDateQrCode'],
  'secret-shown-once': WEBHOOKS,
  'listed-once': ['listWebhooks', 'listUsers'],
}
type RuleId = keyof typeof OPERATIONS
const RULES = Object.keys(OPERATIONS) as RuleId[]
const runs = Object.fromEntries(
  RULES.map((rule) => {
    const beside = ['secret-shown-once', 'listed-once'].includes(rule) ? ['record-changes'] : []
    return [rule, runOf(rule, { operations: OPERATIONS[rule], beside })]
  }),
)
const run = (rule: RuleId, fault?: Fault, operations?: readonly string[]) => runs[rule]?.(fault, operations)

/** The operations that a fault concerns, because more would take longer. */
function operationsFor(line: string): readonly string[] | undefined {
  if (line.includes('values-unique')) return undefined
  return line.includes('Webhook') ? WEBHOOKS : line.includes('User') ? ['listUsers', 'getUser'] : CHARGES
}

/** Shows a deleted webhook. */
function undeleted(change: (body: Body) => object): Fault {
  const known = new Map<string, HttpResponse>()
  return async (call, next, called) => {
    const response = await next(call)
    if (called !== 'getWebhook') return response
    if (isSuccess(response)) known.set(call.path, response)
    const old = known.get(call.path)
    return old && response.status === 404 ? withBody(old, change) : response
  }
}

/** Deletes or changes the previous webhook instead. */
function neighbour(operation: string): Fault {
  const ids: string[] = []
  return async (call, next, called) => {
    const [id = ''] = /[^/]+(?=(\/secret)?$)/.exec(call.path) ?? []
    const other = ids[ids.indexOf(id) - 1]
    if (called === operation && other !== undefined)
      await next({ ...call, path: call.path.replace(id, other) })
    const response = await next(call)
    if (called === 'createWebhook' && isSuccess(response)) ids.push(JSON.parse(response.text).id)
    return response
  }
}

it.each<readonly [what: string, rule: RuleId, fault: Fault, line: string]>([
  [
    'a value that nobody sent',
    'record-shown',
    shows('createImmediateQrCode', (it) => ({ ...it, message: it.message ?? 'undefined' })),
    'failure record-shown createImmediateQrCode',
  ],
  [
    'another default than declared',
    'record-shown',
    shows('createImmediateQrCode', (it) =>
      it.calendar.expiration === 86_400 ? { ...it, calendar: { expiration: 60 } } : it,
    ),
    'deviation record-shown createImmediateQrCode',
  ],
  [
    'an update of another record',
    'record-changes',
    neighbour('updateWebhook'),
    'failure record-changes updateWebhook',
  ],
  [
    'a record that is shown as deleted',
    'record-changes',
    undeleted((it) => ({ ...it, deleted_at: it.updated_at })),
    'deviation record-changes getWebhook',
  ],
  [
    'a second cancellation that is refused',
    'record-changes',
    secondCancellation(problem(409)),
    'deviation record-changes cancelImmediateQrCode',
  ],
  [
    'the id of another kind',
    'record-changes',
    accepts('cancelImmediateQrCode', () => true),
    'failure record-changes cancelImmediateQrCode',
  ],
  [
    'two records with one secret',
    'values-unique',
    shows('createWebhook', (it) => ({ ...it, secret: 'whsec_same' })),
    'deviation values-unique createWebhook',
  ],
  [
    'a secret on a list',
    'secret-shown-once',
    alters('listWebhooks', (it) =>
      withItems(it, (items) => items.map((item) => ({ ...item, secret: `whsec_${'a'.repeat(43)}=` }))),
    ),
    'failure secret-shown-once listWebhooks',
  ],
  [
    'a credential of the request',
    'secret-shown-once',
    alters('getWebhook', (it, { headers }) =>
      withBody(it, (body) => ({ ...body, debug: headers.authorization })),
    ),
    'deviation secret-shown-once getWebhook',
  ],
  [
    'a record that is listed twice',
    'listed-once',
    alters('listWebhooks', (it) => withItems(it, (items) => [...items, ...items])),
    'deviation listed-once listWebhooks',
  ],
])('finds %s', async (_, rule, fault, line) => {
  expect((await run(rule, fault, operationsFor(line)))?.found).toContain(line)
})

it('finds a secret of another form than the standard has', async () => {
  const secretOf = ({ id }: Body) => `$ecret+${id}`
  const issues = shows('createWebhook', (body) => ({ ...body, secret: secretOf(body) }))
  const repeats = shows('getWebhook', (body) => ({ ...body, note: secretOf(body) }))
  const line = 'failure secret-shown-once getWebhook'
  expect((await run('secret-shown-once', both(issues, repeats), operationsFor(line)))?.found).toContain(line)
})

function secondCancellation(refusal: HttpResponse): Fault {
  const cancelled = new Set<string>()
  return alters('cancelImmediateQrCode', (response, { path }) => {
    if (cancelled.has(path)) return refusal
    if (isSuccess(response)) cancelled.add(path)
    return response
  })
}

/** Changes charges in all responses. */
function charges(change: (record: Body) => object): Fault {
  const create = shows('createImmediateQrCode', change)
  const cancel = shows('cancelImmediateQrCode', change)
  const list = alters('listImmediateQrCodes', (it) => withItems(it, (items) => items.map(change)))
  return both(create, both(cancel, list))
}

const links = () => ({
  _links: { self: { href: `https://api.example/${crypto.randomUUID()}` } },
  served_at: Math.random(),
})

/** Another value of a status, also in requests. */
function word(from: string, to: string): Fault {
  const ask = reads('updateWebhook', (call) => ({
    ...call,
    body: call.body?.replace(`"${to}"`, `"${from}"`) ?? '',
  }))
  const refuse: Fault = (call, next, called) =>
    called === 'updateWebhook' && call.body?.includes(`"${from}"`)
      ? Promise.resolve(problem(400))
      : next(call)
  const show = alters(undefined, (it) => ({
    ...it,
    text: it.text.replaceAll(`"status":"${from}"`, `"status":"${to}"`),
  }))
  return both(show, both(refuse, ask))
}

it.each<readonly [what: string, rule: RuleId, fault: Fault]>([
  ['links that change', 'record-changes', charges((it) => ({ ...it, ...links() }))],
  ['a nested record', 'record-shown', charges(({ id, status, ...charge }) => ({ id, status, charge }))],
  ['another status word', 'record-changes', word('inactive', 'disabled')],
  [
    'amounts without zeros at their end',
    'record-shown',
    charges((it) => ({ ...it, amount: { original: String(Number(it.amount.original)) } })),
  ],
])('reports no failure for %s with %s', async (_, rule, fault) => {
  const { found: lines, status } = (await run(rule, fault)) ?? { found: [], status: undefined }
  expect(lines.filter((it) => it.startsWith('failure'))).toEqual([])
  expect(status).not.toBe('not-assessed')
})

it('finds a value that an excluded kind of record uses', async () => {
  const used = new Set<string>()
  const remembering = reads('createImmediateQrCode', (call) => {
    used.add(bodyOf(call).tx_id)
    return call
  })
  const accepting = accepts('createDueDateQrCode', ({ tx_id }) => used.has(tx_id))
  const outcome = await run('values-unique', both(accepting, remembering), ['createDueDateQrCode'])
  expect(outcome).toEqual(found('deviation values-unique createDueDateQrCode'))
})
