import { sample } from '@partner-payments/campaign'
import { type App, createApp } from '@partner-payments/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RuleResult } from '../../src/engine/result.ts'
import type { HttpResponse } from '../../src/model/http.ts'
import { rules as allRules } from '../../src/rules.ts'
import { checkInProcess, inProcess } from '../in-process-transport.ts'
import { type Body, broken, type Fault, problem, shows } from '../rules/broken.ts'

/** Rules that send requests. A commit tries only some. */
const tried = sample(allRules.filter(({ judgeResponse }) => !judgeResponse)).map(({ id }) => id)

let sandbox: App
beforeAll(async () => {
  sandbox = await createApp({ allowLoopback: true, limitsRates: false })
})
afterAll(() => sandbox.close())

/** Runs rules on a sandbox with changed responses for some calls. */
async function resultsOf(
  rules: readonly string[],
  fault: Fault,
  operations?: readonly string[],
): Promise<readonly RuleResult[]> {
  const result = await checkInProcess(broken(inProcess(sandbox.fetch), fault), {
    credentials: { clientKey: 'partner', clientSecret: 'secret' },
    other: { clientKey: 'other', clientSecret: 'secret' },
    only: rules,
    ...(operations && { operations }),
  })
  return result.rules.filter(({ rule }) => rules.includes(rule))
}

/** The status of each rule. */
async function statusOf(rules: readonly string[], fault: Fault): Promise<Record<string, string>> {
  const results = await resultsOf(rules, fault)
  return Object.fromEntries(results.map(({ rule, status }) => [rule, status]))
}

type Call = Parameters<Fault>[0]

/** Responds to some calls with one status; 0 is no response. */
function respondingTo(
  status: number,
  isMeant: (operation: string | undefined, call: Call) => boolean,
): Fault {
  const response: HttpResponse =
    status === 0 ? { status, headers: {}, text: 'socket hang up', ms: 0 } : problem(status)
  return async (call, next, operation) => (isMeant(operation, call) ? response : next(call))
}

/** Whether a body is empty, or not an object. */
function isEmpty(_: string | undefined, { body }: Call): boolean {
  return body !== undefined && ['', 'null', '[]', '""'].includes(body)
}

function withoutToken(body: Body): unknown {
  return { ...body, access_token: 'good-for-nothing' }
}

/** The same status for each rule. */
function each(rules: readonly string[], status: string): Record<string, string> {
  return Object.fromEntries(rules.map((rule) => [rule, status]))
}

const OF_TRANSFERS = ['one-time-values', 'money-moves']

test.each([422, 429, 500, 0])(
  'does not assess the rules about transfers if every transfer gets %i',
  async (status) => {
    const fault = respondingTo(status, (operation) => operation === 'createTransfer')
    expect(await statusOf(OF_TRANSFERS, fault)).toEqual(each(OF_TRANSFERS, 'not-assessed'))
  },
)

const isRead = (_: string | undefined, { method }: Call) => method === 'GET'
const isList = (operation: string | undefined) => operation?.startsWith('list') ?? false
const isQuery = (_: string | undefined, { path }: Call) => path.includes('?')
const LISTS = ['listImmediateQrCodes', 'checkKey']
const isOf = (meant: string) => (operation: string | undefined) => operation === meant

test.each([
  ['record-changes', 'every list is refused', respondingTo(429, isList)],
  ['expired-token-refused', 'the token was never accepted', respondingTo(401, isRead)],
  ['foreign-link-refused', 'every partner gets 404', respondingTo(404, isOf('getUser'))],
  ['impersonated-token-refused', 'no operation accepts the token', shows('impersonate', withoutToken)],
  ['record-changes', 'every read is refused', respondingTo(429, isRead)],
  ['trailing-slash', 'every request is refused', respondingTo(429, (operation) => operation !== 'signIn')],
] as const)('does not assess %s if %s', async (rule, _, fault) => {
  expect(await statusOf([rule], fault)).toEqual({ [rule]: 'not-assessed' })
})

test.each([
  ['foreign-record-untouched', { cases: 3, inconclusive: 1 }, respondingTo(429, isRead)],
  ['record-changes', {}, respondingTo(404, isOf('getWebhook'))],
  ['charge-amounts', {}, respondingTo(422, isOf('checkCode'))],
  ['body-format', {}, respondingTo(404, isEmpty)],
  ['break-refused', {}, respondingTo(429, isQuery), LISTS],
  ['break-refused', {}, respondingTo(404, isQuery), LISTS],
  ['boundary-accepted', {}, respondingTo(429, isQuery), LISTS],
] as const)(
  'counts cases of %s as inconclusive: %o',
  async (rule, counted, fault, operations?: readonly string[]) => {
    const [result] = await resultsOf([rule], fault, operations)
    expect(result).toMatchObject({ ...counted, status: 'passed' })
    expect(result?.inconclusive).toBeGreaterThan(0)
  },
)

/**
 * Rules that pass on a sandbox with one status for some calls, without rules that move the clock. Rules about all
 * responses are excluded, because the sign-in always has a response.
 */
async function passedBy(status: number, isMeant: Parameters<typeof respondingTo>[1]): Promise<string[]> {
  const fault = respondingTo(
    status,
    (operation, call) => !call.path.startsWith('/_sandbox/') && isMeant(operation, call),
  )
  // Each rule has its own run, because a run ends if nothing responds.
  const held: string[] = []
  for (const rule of tried) if ((await statusOf([rule], fault))[rule] === 'passed') held.push(rule)
  return held
}

/** The sign-in is accepted with credentials, and refused without. */
const OF_SIGNING_IN: readonly string[] = ['credentials-required']

/** The example of the sign-in is tried first. */
const ACCEPTED: readonly string[] = ['example-accepted']

/** Read-only operations have accepted requests, even if every change is refused. */
const OF_READING: readonly string[] = [
  'links-followed',
  'boundary-accepted',
  'break-refused',
  'foreign-link-refused',
  'foreign-list-hidden',
  'credentials-required',
  'head-equals-get',
  'invalid-ids-refused',
  'trailing-slash',
  'list-pages',
  'record-shown',
  'aliases-served',
]

const isNotSignedIn = (operation: string | undefined) => !['signIn', 'impersonate'].includes(operation ?? '')
const isChange = (operation: string | undefined, { method }: Call) =>
  operation !== 'signIn' && ['POST', 'PATCH', 'DELETE'].includes(method)

test.each([
  [429, isNotSignedIn, ACCEPTED],
  [500, isNotSignedIn, OF_SIGNING_IN],
  [0, isNotSignedIn, ACCEPTED],
  [422, isChange, OF_READING],
] as const)(
  'passes only rules that could judge a response if the service returns %i',
  async (status, isMeant, expected) => {
    expect((await passedBy(status, isMeant)).toSorted()).toEqual(
      expected.filter((it) => tried.includes(it)).toSorted(),
    )
  },
)

test('does not assess a rule without a response that it judges', async () => {
  const results = await resultsOf(['invariants', 'response-schema'], (call, next) => next(call), [
    'listUsers',
  ])
  const statuses = Object.fromEntries(results.map(({ rule, status }) => [rule, status]))
  expect(statuses).toEqual({ invariants: 'not-assessed', 'response-schema': 'passed' })
})
