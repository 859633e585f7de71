import { expect, test } from 'vitest'
import { rules } from '../../../src/rules.ts'
import { type Call, passedBy, useSandbox } from '../../engine/not-assessed.ts'

useSandbox()

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

/** Rules that send requests. */
const tried = rules.filter(({ judgeResponse }) => !judgeResponse).map(({ id }) => id)

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
    expect((await passedBy(tried, status, isMeant)).toSorted()).toEqual(
      expected.filter((it) => tried.includes(it)).toSorted(),
    )
  },
)
