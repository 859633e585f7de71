import { expect, test } from 'vitest'
import { fieldsOf } from '../src/contract/json.ts'
import { findFewAcceptedReason } from '../src/report/acceptance.ts'
import { chooseExitCode, summarize } from '../src/report/summary.ts'
import { checkService } from './services/check.ts'
import { problem, remade } from './services/responses.ts'
import { handle, type Service } from './services/wrap.ts'
import { create, example, lookUp, payKey, readStory, type Step } from './story.ts'

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
  const find = (id: string) => verdicts.find(({ question }) => question === id)
  expect(find('payer-fields')?.verdict).toBe('contradicted')
  expect(find('due-date-fields')?.verdict).not.toBe('confirmed')
  expect(findings.map(({ message }) => message)).toContain(
    'createDueDateQrCode accepted no payer (200); expected field_missing.',
  )
})

test('it names the invalid field of a charge whose modality is a word of the service', () => {
  const amount = { original: '100.00', fine: { modality: 'percentage', amount: '2.00' } }
  const payer = { name: 'Fulano de Tal', tax_id: '123' }
  const { findings } = readStory([
    create('dueDateQrCode', { amount }),
    create('dueDateQrCode', { amount, payer }, { variant: '/payer/tax_id' }),
  ])
  const messages = findings.map(({ message }) => message)
  expect(messages).toContainEqual(
    expect.stringContaining('createDueDateQrCode accepted a request whose body/payer/tax_id'),
  )
  // The word itself stays a finding.
  expect(messages).toContainEqual(
    expect.stringContaining(
      'createDueDateQrCode accepted a request whose body/amount/fine/modality',
    ),
  )
})

test('it takes no refusal for one of a word that the service accepted before', () => {
  const amount = { original: '100.00', fine: { modality: 'percentage', amount: '2.00' } }
  const { verdicts } = readStory([
    create('dueDateQrCode', { amount }),
    create('dueDateQrCode', { amount, calendar: {} }, { variant: '/calendar', refused: 'no' }),
  ])
  const modalities = verdicts.find(({ question }) => question === 'modalities')
  expect(modalities?.statements).toMatchObject([{ statement: 'invalid', passed: 0, failed: 1 }])
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

test.each([
  { field: 'account_type', value: 'cacc', question: 'account-kinds' },
  { field: 'ispb', value: '5379184', question: 'account-forms' },
])(
  'it calls no $question contradicted by a request with another $field that was accepted',
  (row) => {
    const { field, value, question } = row
    const initiation_id = '10c8831e-5542-4eec-9938-00000000000b'
    const beneficiary = fieldsOf(fieldsOf(example('keySettled').data).beneficiary)
    const edited = { ...beneficiary, [field]: value }
    const { verdicts, findings, sightings } = readStory([
      lookUp(),
      payKey({ beneficiary }),
      lookUp({ initiation_id }),
      payKey({ initiation_id, beneficiary: edited }, {}, { variant: `/beneficiary/${field}` }),
    ])
    const find = (id: string) => verdicts.find((verdict) => verdict.question === id)?.verdict
    expect(find(question)).not.toBe('contradicted')
    expect(find('errors')).toBe('contradicted')
    expect(findings.map(({ rule }) => rule)).toContain('refusals-invalid')
    expect(
      sightings.filter((seen) => seen.question === question && seen.of === 'accepted'),
    ).toEqual([])
  },
)

test('it says nothing of refusals if a service takes the kind of an account that it has shown', () => {
  const beneficiary = fieldsOf(fieldsOf(example('keySettled').data).beneficiary)
  const pay = (account_type: string) => {
    const sent = { beneficiary: { ...beneficiary, account_type } }
    const { verdicts } = readStory([lookUp({ account_type: 'PAYMENT' }), payKey(sent)])
    return verdicts.find(({ question }) => question === 'errors')?.verdict
  }
  expect(pay('PAYMENT')).not.toBe('contradicted')
  expect(pay('CURRENT')).toBe('contradicted')
})

test('it does not confirm the kinds of accounts by requests, if it accepts any kind', () => {
  const beneficiary = fieldsOf(fieldsOf(example('keySettled').data).beneficiary)
  const pay = (account_type: string, n: number, manner = {}) => {
    const initiation_id = `10c8831e-5542-4eec-9938-00000000000${n}`
    const sent = { initiation_id, beneficiary: { ...beneficiary, account_type } }
    return [lookUp({ initiation_id }), payKey(sent, {}, manner)]
  }
  const variant = { variant: '/beneficiary/account_type' }
  const kinds = ['TRAN', 'CACC', 'SVGS', 'SLRY'].flatMap((kind, i) =>
    pay(kind, i + 1, i > 0 ? variant : {}),
  )
  const judge = (steps: readonly Step[]) =>
    readStory(steps).verdicts.find(({ question }) => question === 'account-kinds')?.unsettled
  expect(judge(kinds)).toEqual([])
  expect(judge([...kinds, ...pay('cacc', 9, variant)])).toEqual([
    'what requests show, since an invalid value was accepted too',
  ])
})

test('it confirms the fields of a due-date charge by one without a payer, among others', () => {
  const refused = { refused: 'field_missing' } as const
  const withoutDate = create(
    'dueDateQrCode',
    { calendar: {} },
    { variant: '/calendar/due_date', ...refused },
  )
  const withoutPayer = create(
    'dueDateQrCode',
    { payer: undefined },
    { variant: '/payer', ...refused },
  )
  const judge = (steps: readonly Step[]) =>
    readStory(steps).verdicts.find(({ question }) => question === 'due-date-fields')
  expect(judge([create('dueDateQrCode'), withoutDate])?.unsettled).toEqual(['payer'])
  expect(judge([create('dueDateQrCode'), withoutPayer])?.unsettled).toEqual(['refused'])
  expect(judge([create('dueDateQrCode'), withoutDate, withoutPayer])?.unsettled).toEqual([])
})
