import { expect, test } from 'vitest'
import { findFewAcceptedReason } from '../src/report/acceptance.ts'
import { chooseExitCode, summarize } from '../src/report/summary.ts'
import { checkService } from './services/check.ts'
import { problem, remade } from './services/responses.ts'
import { handle, type Service } from './services/wrap.ts'
import { lookUp, payKey, readStory } from './story.ts'

/** A service with a page that asks everybody to sign in. */
const PAGE: Service = handle(async (call, next) => {
  const response = await next(call)
  if (call.operation === 'signIn' && response.ok) return response
  const headers = { 'content-type': 'text/html', 'www-authenticate': null }
  return remade(response, { status: 401, headers, body: '<html>Sign in</html>' })
})

/** A service that takes no token but on its users. */
const USERS_ALONE: Service = handle((call, next) => {
  const isOpen = ['signIn', 'listUsers', 'getUser'].includes(call.operation ?? '')
  if (isOpen) return next(call)
  const challenge = { headers: { 'www-authenticate': 'Bearer' } }
  return remade(problem(401, 'invalid_token'), challenge)
})

test('it confirms nothing on a service that refuses every token', async () => {
  const { verdicts, findings } = await checkService(PAGE, { timeMs: 10 })
  const confirmed = verdicts.filter(({ verdict }) => verdict === 'confirmed')
  expect(confirmed.map(({ question }) => question)).toEqual([])
  expect(findings.filter(({ kind }) => kind === 'failure')).toEqual([])
})

test('it calls a run inconclusive in which few operations accept a request', async () => {
  const result = await checkService(USERS_ALONE, { timeMs: 10 })
  expect(findFewAcceptedReason(result)).toMatch(/^Only 3 of \d+ operations accepted a request/)
  expect(chooseExitCode(result, {})).toBe(1)
  expect(summarize(result, {})).toContain('inconclusive')

  const verdicts = new Map(result.verdicts.map(({ question, verdict }) => [question, verdict]))
  for (const question of ['initiation', 'insufficient-funds', 'key-forms', 'modalities'])
    expect([question, verdicts.get(question)]).toEqual([question, 'not-exercised'])
})

test.each([
  { refused: 'insufficient_funds', verdict: 'confirmed' },
  // The most that one payment may have.
  { refused: 'amount_not_allowed', verdict: 'not-exercised' },
  { refused: 'payment_too_large', verdict: 'not-exercised' },
])('it calls the lack of funds $verdict, if a billion is refused with $refused', (row) => {
  const initiation_id = '10c8831e-5542-4eec-9938-00000000000b'
  const amount = '999999999.99'
  const { verdicts } = readStory([
    lookUp(),
    payKey(),
    lookUp({ initiation_id }),
    payKey(
      { initiation_id, amount },
      {},
      { variant: '/amount', refused: row.refused, status: 422 },
    ),
  ])
  const funds = verdicts.find(({ question }) => question === 'insufficient-funds')
  expect(funds?.verdict).toBe(row.verdict)
})
