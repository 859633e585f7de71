import { expect, test } from 'vitest'
import { type Body, shows } from '../rules/broken.ts'
import { type Call, passedBy, respondingTo, resultsOf, statusOf, useSandbox } from './not-assessed.ts'

useSandbox()

/** Whether a body is empty, or not an object. */
function isEmpty(_: string | undefined, { body }: Call): boolean {
  return body !== undefined && ['', 'null', '[]', '""'].includes(body)
}

function withoutToken(body: Body): unknown {
  return { ...body, access_token: 'good-for-nothing' }
}

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

test('passes no rule if the service limits the rate of all but the sign-in', async () => {
  const tried = ['boundary-accepted', 'foreign-link-refused', 'list-pages', 'refusals', 'trailing-slash']
  expect(await passedBy(tried, 429, (operation) => operation !== 'signIn')).toEqual([])
})

test('does not assess a rule without a response that it judges', async () => {
  const results = await resultsOf(['invariants', 'response-schema'], (call, next) => next(call), [
    'listUsers',
  ])
  const statuses = Object.fromEntries(results.map(({ rule, status }) => [rule, status]))
  expect(statuses).toEqual({ invariants: 'not-assessed', 'response-schema': 'passed' })
})
