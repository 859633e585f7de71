/** What a QR code must not say, one rule each; of a due-date charge where no operation is named. */
export interface ChargeRule {
  readonly words: string
  readonly set: Readonly<Record<string, unknown>>
  readonly operation?: string
}

const FOREIGN: ChargeRule = { words: 'the key of someone else', set: { '/dict_key': 'beltrana@example.com' } }

/** `later` is a day after a charge is due, and `due` one before. */
export const wrongCharges = (later: string, due: string): readonly ChargeRule[] => [
  { words: 'no original amount', set: { '/amount': {} } },
  { words: 'no due date', set: { '/calendar': {} } },
  { words: 'a due date that has passed', set: { '/calendar': { due_date: '2020-01-02' } } },
  { words: 'an amount of zero', set: { '/amount': { original: '0.00' } } },
  {
    words: 'a deduction above the amount',
    set: { '/amount': { original: '10.00', deduction: { amount: '20.00', modality: '1' } } },
  },
  {
    words: 'a discount of 100 percent',
    set: { '/amount': { original: '10.00', discount: { amount: '100.00', modality: '5' } } },
  },
  {
    words: 'a discount dated after the due date',
    set: {
      '/amount': {
        original: '10.00',
        discount: { modality: '1', fixedDateDiscount: [{ amount: '1.00', date: later }] },
      },
    },
  },
  {
    words: 'a deduction of 100 percent',
    set: { '/amount': { original: '10.00', deduction: { amount: '100.00', modality: '2' } } },
  },
  {
    words: 'a discount until a date above the amount',
    set: {
      '/amount': {
        original: '10.00',
        discount: { modality: '1', fixedDateDiscount: [{ amount: '20.00', date: due }] },
      },
    },
  },
  {
    words: 'a discount until dates, and none',
    set: { '/amount': { original: '10.00', discount: { modality: '1', amount: '1.00' } } },
  },
  {
    words: 'a discount for each day, and dates',
    set: {
      '/amount': {
        original: '10.00',
        discount: { modality: '3', fixedDateDiscount: [{ amount: '1.00', date: due }] },
      },
    },
  },
  FOREIGN,
]

/** What is at the edge of a rule, and keeps it. `due` is the day on which the charge is due. */
export const rightCharges = (today: string, due: string): readonly ChargeRule[] => [
  {
    words: 'the day of today as its due date',
    set: { '/calendar': { due_date: today }, '/amount': { original: '10.00' } },
  },
  {
    words: 'a discount that holds until its due date',
    set: {
      '/calendar': { due_date: due },
      '/amount': {
        original: '10.00',
        discount: { modality: '1', fixedDateDiscount: [{ amount: '1.00', date: due }] },
      },
    },
  },
  {
    words: 'a deduction of all but a hundredth of a percent',
    set: { '/amount': { original: '999999.99', deduction: { amount: '99.99', modality: '2' } } },
  },
]

/** The same of the other kinds. */
export const WRONG_ELSEWHERE: readonly ChargeRule[] = [
  { ...FOREIGN, operation: 'createImmediateQrCode' },
  { ...FOREIGN, operation: 'createStaticQrCode' },
  { words: 'no original amount', set: { '/amount': {} }, operation: 'createImmediateQrCode' },
  { words: 'an amount of zero', set: { '/amount/original': '0.00' }, operation: 'createImmediateQrCode' },
  { words: 'an amount of zero', set: { '/amount': '0.00' }, operation: 'createStaticQrCode' },
  {
    words: 'a message that its key leaves no room for',
    set: { '/message': 'a'.repeat(72) },
    operation: 'createStaticQrCode',
  },
]
