import { encode } from '@partner-payments/brcode'
import { expect, test } from 'vitest'
import { fieldsOf } from '../../src/contract/json.ts'
import { ServiceForm } from '../../src/form/service-form.ts'
import {
  call,
  cancel,
  charge,
  charges,
  check,
  codeOf,
  create,
  deliver,
  example,
  type Json,
  listUsers,
  lookUp,
  pass,
  payKey,
  read,
  readStory,
  readUser,
  type Step,
  txId,
  update,
  webhook,
  webhooks,
} from '../story.ts'

/** The verdict on a question after a story, and what was not seen of it. */
function judge(question: string, steps: readonly Step[]) {
  const { verdicts } = readStory(steps)
  const verdict = verdicts.find((each) => each.question === question)
  return { verdict: verdict?.verdict, unsettled: verdict?.unsettled }
}

test('it does not confirm the meaning of fields by showing them twice', () => {
  expect(judge('user-fields', [listUsers(), listUsers()])).toEqual({
    verdict: 'partly-confirmed',
    unsettled: ['whose created_at it is', 'what username is for'],
  })
  expect(judge('customer-fields', [readUser(), readUser()])).toEqual({
    verdict: 'partly-confirmed',
    unsettled: ['provider_id', 'referral_code'],
  })
})

test('it does not confirm a modality that no request had', () => {
  const amountWith = (modality: string) => ({
    original: '10.00',
    interest: { amount: '1.00', modality },
  })
  const { verdict, unsettled } = judge('modalities', [
    create('dueDateQrCode', { amount: amountWith('1') }),
    create('dueDateQrCode', { amount: amountWith('2') }, { variant: '/amount/interest/modality' }),
  ])
  expect(verdict).toBe('partly-confirmed')
  expect(unsettled).toContain('InterestInput/modality 8')
  expect(unsettled).not.toContain('InterestInput/modality 1')
  expect(unsettled).not.toContain('InterestInput/modality 2')
})

test('it counts the modality of an edited request once', () => {
  const amount = { original: '10.00', interest: { amount: '1.00', modality: '2' } }
  const edited = create('dueDateQrCode', { amount }, { variant: '/amount/interest/modality' })
  const { sightings } = readStory([create('dueDateQrCode', {}), edited])
  const ofInterest = sightings.find(
    ({ at, of }) => at.endsWith('/InterestInput/properties/modality') && of === 'accepted',
  )
  expect(ofInterest?.seen).toMatchObject({ 2: 1 })
})

test('it does not confirm a kind of key that no look-up showed', () => {
  expect(judge('key-kinds', [lookUp()])).toEqual({
    verdict: 'partly-confirmed',
    unsettled: ['CPF', 'CNPJ', 'PHONE', 'EVP'],
  })
})

test('it takes a word of the service, and one in small letters, for that of the contract', () => {
  const form = new ServiceForm({ transfer: { '/status/pending': 'processing' } })
  const shows = { ...example('keySettled'), status: 'processing' }
  const { verdicts } = readStory([lookUp(), payKey({}, {}, { shows })], { form })
  const find = (id: string) => verdicts.find(({ question }) => question === id)
  expect(find('transfer-statuses')?.unsettled).not.toContain('pending')
  expect(find('auth-scheme')?.unsettled).toEqual([])
})

test('it does not confirm all attempts by the first retry', () => {
  const story = [
    webhook,
    charge,
    cancel(),
    deliver({ status: 500, message: 'm' }),
    pass(5_000),
    deliver({ message: 'm' }),
  ]
  expect(judge('delivery', story)).toEqual({
    verdict: 'partly-confirmed',
    unsettled: ['attempts', 'the time-out', 'the order'],
  })
})

test('it confirms in part what the contract leaves open', () => {
  const withRefreshToken = { authorization: 'Bearer refresh-of-partner', refused: 'invalid_token' }
  const refused = call('GET /partner/user', undefined, undefined, withRefreshToken)
  expect(judge('refresh-token', [refused])).toEqual({
    verdict: 'partly-confirmed',
    unsettled: ['what the contract leaves open'],
  })
  expect(judge('webhook-timestamps', [webhook, read(), read()]).verdict).toBe('partly-confirmed')
})

/** A code that is created and checked. */
function checkCreated(kind: 'staticQrCode' | 'dueDateQrCode', shows: Json, sent: Json = {}) {
  const emv = codeOf(1, kind)
  return [create(kind, sent), check(shows, { emv })]
}

const CHECKED_STATIC = checkCreated('staticQrCode', {
  ...example('staticCode'),
  tx_id: txId('staticQrCode', 1),
  message: 'Pedido 1003',
  original_amount: '35.90',
  final_amount: '35.90',
  beneficiary: { ...fieldsOf(example('staticCode').beneficiary), dict_key: '+5561912345678' },
})

test('it confirms the fields of a charge by codes of both kinds', () => {
  expect(judge('charge-fields', CHECKED_STATIC)).toEqual({
    verdict: 'partly-confirmed',
    unsettled: ['due-date code'],
  })
  const ofDueDate = checkCreated('dueDateQrCode', example('dueDateCode'))
  expect(judge('charge-fields', ofDueDate).unsettled).toEqual(['static code'])
})

test('it confirms the final amount only with each part that changes it', () => {
  const parts = ['deduction', 'discount', 'fine', 'interest']
  expect(judge('final-amount', CHECKED_STATIC)).toEqual({
    verdict: 'partly-confirmed',
    unsettled: parts,
  })

  const amount = { original: '100.00', deduction: { amount: '10.00', modality: '1' } }
  const shows = { original_amount: '100.00', deduction: '10.00', final_amount: '90.00' }
  const zero = { discount: '0.00', fine: '0.00', interest: '0.00' }
  const checked = { ...example('dueDateCode'), ...zero, ...shows }
  const calendar = { due_date: '2026-11-06', expiration_days: 30 }
  const deducted = checkCreated('dueDateQrCode', checked, { amount, calendar })
  expect(judge('final-amount', deducted).unsettled).toEqual(['discount', 'fine', 'interest'])
})

test('it confirms who sees records only with records of each kind that others asked for', () => {
  const users = 'user of another partner'
  const codes = ['immediateQrCode of another owner', 'dueDateQrCode of another owner']
  const hidden = { refused: 'not_found' } as const
  expect(judge('record-owners', [webhook, webhooks()])).toEqual({
    verdict: 'partly-confirmed',
    unsettled: ['webhook of another partner', users, ...codes],
  })
  const readByOther = [
    webhook,
    listUsers({}, { by: 'other' }),
    read({}, { by: 'other', ...hidden }),
  ]
  expect(judge('record-owners', readByOther).unsettled).toEqual([users, ...codes])

  // Another partner says nothing of the customers of the same partner.
  const cancelledBy = (by: 'customer' | 'other') => [
    charges('', { by }),
    charge,
    cancel({}, { by, ...hidden }),
  ]
  expect(judge('record-owners', cancelledBy('other')).unsettled).toContain(codes[0])
  expect(judge('record-owners', cancelledBy('customer')).unsettled).not.toContain(codes[0])
})

test('it confirms the masks of persons and of companies', () => {
  const paid = (owner_document: string) => {
    const beneficiary = { ...fieldsOf(fieldsOf(example('keySettled').data).beneficiary) }
    const data = { beneficiary: { ...beneficiary, tax_id: owner_document } }
    return [lookUp({ owner_document }), payKey({}, data)]
  }
  expect(judge('owner-masking', paid('***.444.777-**')).unsettled).toEqual(['company'])
  expect(judge('owner-masking', paid('11222333000181')).unsettled).toEqual(['person'])
})

test('it confirms the unit of an expiration only if milliseconds are excluded', () => {
  const halfLife = pass(1_800_000)
  const ended = listUsers({}, { refused: 'invalid_token' })
  const unused = [listUsers(), halfLife, halfLife, pass(10_000), ended]
  expect(judge('token-expiration-unit', unused).verdict).toBe('not-exercised')
  const used = [halfLife, listUsers(), halfLife, pass(10_000), ended]
  expect(judge('token-expiration-unit', used).verdict).toBe('confirmed')
})

/** A static code of somebody, and one whose key nobody has, which is refused. */
function checkKeyOfNobody(code: string): Step[] {
  const emvOf = (key: string) =>
    encode({ key, merchantName: 'Loja', merchantCity: 'BRASILIA', amount: '10.50', txid: '***' })
  const beneficiary = { ...(example('staticCode').beneficiary as object), dict_key: KEY }
  const shows = { ...example('staticCode'), beneficiary }
  return [
    check(shows, { emv: emvOf(KEY) }),
    check(shows, { emv: emvOf(NOBODY), variant: true, refused: code }),
  ]
}

const KEY = 'beltrana@example.com'
const NOBODY = 'nobody@pix.invalid'

test('it does not confirm the status of a refusal that has another one', () => {
  const status = 'the status of each refusal'
  expect(judge('code-forms', checkKeyOfNobody('not_found')).unsettled).toContain(status)
  expect(judge('code-forms', checkKeyOfNobody('invalid_code')).unsettled).not.toContain(status)
})

test('it confirms that nothing lags only by look-ups, and by lists of each kind', () => {
  const judgeLag = (steps: readonly Step[]) => {
    const { verdicts } = readStory(steps, { lagMs: 5_000 })
    return verdicts.find(({ question }) => question === 'list-lag')?.unsettled
  }
  const codes = ['list of immediateQrCode records', 'list of dueDateQrCode records']
  expect(judgeLag([webhook, webhooks()])).toEqual([...codes, 'look-up'])
  expect(judgeLag([webhook, webhooks(), read()])).toEqual(codes)
  expect(judgeLag([webhook, webhooks(), read(), charge, charges()])).toEqual([codes[1]])
})

test('it confirms that nothing lags by no look-up that shows an older value', () => {
  const url = 'https://new.example/pix'
  const { verdicts } = readStory(
    [webhook, webhooks(), update({ url }), read({ url: 'https://old.example/pix' })],
    { lagMs: 5_000 },
  )
  expect(verdicts.find(({ question }) => question === 'list-lag')?.unsettled).toContain('look-up')
})

test('it confirms how keys are written by the kinds that were looked up', () => {
  const look = (dict_key: string) => lookUp({ dict_key }, { sent: { dict_key } })
  const { unsettled } = judge('key-forms', [look('11144477735'), look('beltrana@example.com')])
  expect(unsettled).toEqual(['refused', 'CNPJ', 'PHONE', 'EVP'])
})
