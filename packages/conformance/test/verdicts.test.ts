import { expect, test } from 'vitest'
import { findFewAcceptedReason } from '../src/report/acceptance.ts'
import { chooseExitCode, summarize } from '../src/report/summary.ts'
import { checkService } from './services/check.ts'
import { problem, remade } from './services/responses.ts'
import { handle, type Service } from './services/wrap.ts'
import { create, lookUp, payKey, readStory } from './story.ts'

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

test('it judges a charge with a modality of the service by its other fields', () => {
  const amount = { original: '100.00', fine: { modality: 'percentage', amount: '2.00' } }
  const { verdicts, findings } = readStory([
    create('dueDateQrCode', { amount }),
    create('dueDateQrCode', { amount, payer: undefined }, { variant: '/payer' }),
  ])
  const fields = verdicts.find(({ question }) => question === 'payer-fields')
  expect(fields?.verdict).toBe('contradicted')
  expect(findings.map(({ message }) => message)).toContain(
    'createDueDateQrCode accepted no payer (200); expected field_missing.',
  )
})

test('it counts the refusal of a charge with a modality that the service accepted before', () => {
  const amount = { original: '100.00', fine: { modality: 'percentage', amount: '2.00' } }
  const { verdicts } = readStory([
    create('dueDateQrCode', { amount }),
    create(
      'dueDateQrCode',
      { amount, calendar: {} },
      { variant: '/calendar/due_date', refused: 'field_missing' },
    ),
  ])
  const fields = verdicts.find(({ question }) => question === 'due-date-fields')
  expect(fields?.statements).toMatchObject([{ statement: 'refused', passed: 1 }])
})

test('it does not take a word for one of the service that a probe sent and nothing looked at', () => {
  const fine = { modality: 'no-such', amount: '2.00' }
  const original = '100.00'
  const { verdicts } = readStory([
    create('dueDateQrCode', { amount: { original } }),
    create('dueDateQrCode', { amount: { original, fine } }, { variant: '/amount/fine/modality' }),
    create(
      'dueDateQrCode',
      { amount: { original, fine }, calendar: {} },
      { variant: '/calendar/due_date', refused: 'field_missing' },
    ),
  ])
  const fields = verdicts.find(({ question }) => question === 'due-date-fields')
  expect(fields?.statements).toEqual([])
})
