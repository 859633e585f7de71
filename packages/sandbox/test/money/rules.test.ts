import type { DueDateAmountInput, DueDateQrCodeRequest } from '@partner-payments/spec'
import { expect, test } from 'vitest'
import { chargeFaults } from '../../src/money/rules.ts'

const today = '2026-11-02'
const base = { dict_key: 'loja@example.com', tx_id: 'PEDIDO1002PEDIDO1002PEDIDO1002' }
const calendar = { due_date: '2026-12-15' }

function faultsOf(request: Partial<DueDateQrCodeRequest>): string[] {
  return chargeFaults({ ...base, ...request }, today).map(
    ({ code, pointer }) => `${code} ${pointer}`,
  )
}

const fixed = (amount: string, date = '2026-12-15') => ({ fixedDateDiscount: [{ amount, date }] })
const LIST = 'discount/fixedDateDiscount'

/** Reductions stay below the original amount, and below 100 percent. */
const limitOf = (isPercent: boolean) => (isPercent ? ['100.00', '99.99'] : ['50.00', '49.99'])

const amounts: [amount: DueDateAmountInput, ...faults: string[]][] = [
  [{ original: '0.00' }, 'invalid_charge original'],
  [{ original: '0.01' }],
  ...(['deduction', 'fine', 'interest'] as const).flatMap(
    (name): [DueDateAmountInput, ...string[]][] => [
      [{ [name]: { amount: '1.00' } }, `field_missing ${name}/modality`],
      [{ [name]: { modality: '1' } }, `field_missing ${name}/amount`],
    ],
  ),
  // Any amount of fine and interest is allowed.
  [{ fine: { modality: '1', amount: '100.00' }, interest: { modality: '2', amount: '100.00' } }],
  ...(['1', '2'] as const).flatMap((modality): [DueDateAmountInput, ...string[]][] => {
    const [over = '', under = ''] = limitOf(modality === '2')
    const partial = [...fixed('1.00').fixedDateDiscount, {}]
    return [
      [{ deduction: { modality, amount: over } }, 'invalid_charge deduction/amount'],
      [{ deduction: { modality, amount: under } }],
      [{ discount: { modality, ...fixed(over) } }, `invalid_charge ${LIST}/0/amount`],
      [{ discount: { modality, ...fixed(under) } }],
      [{ discount: { modality, amount: '1.00' } }, `field_missing ${LIST}`],
      [{ discount: { modality, fixedDateDiscount: [] } }, `field_missing ${LIST}`],
      [
        { discount: { modality, fixedDateDiscount: partial } },
        `field_missing ${LIST}/1/amount`,
        `field_missing ${LIST}/1/date`,
      ],
    ]
  }),
  ...(['3', '4', '5', '6'] as const).flatMap((modality): [DueDateAmountInput, ...string[]][] => {
    const [over = '', under = ''] = limitOf('56'.includes(modality))
    return [
      [{ discount: { modality, amount: over } }, 'invalid_charge discount/amount'],
      [{ discount: { modality, amount: under } }],
      [{ discount: { modality } }, 'field_missing discount/amount'],
      [{ discount: { modality, amount: under, ...fixed('1.00') } }, `invalid_charge ${LIST}`],
    ]
  }),
  [
    { discount: { modality: '1', ...fixed('1.00', '2026-12-16') } },
    `invalid_charge ${LIST}/0/date`,
  ],
  [{ discount: { amount: '999.00' } }, 'field_missing discount/modality'],
]

test.each(amounts)(
  'of a due-date request, the amount %j has the faults %j',
  (amount, ...faults) => {
    const expected = faults.map((fault) => fault.replace(' ', ' /amount/'))
    expect(faultsOf({ calendar, amount: { original: '50.00', ...amount } })).toEqual(expected)
  },
)

const missing = ['field_missing /amount/original', 'field_missing /calendar/due_date']

test.each<[Partial<DueDateQrCodeRequest>, string[]]>([
  { request: {}, faults: missing },
  { request: { amount: {}, calendar: {} }, faults: missing },
  // It is not compared with absent fields.
  {
    request: { amount: { discount: { modality: '1', ...fixed('999.00', '2027-12-15') } } },
    faults: missing,
  },
  {
    request: { amount: { original: '1.00' }, calendar: { due_date: '2026-11-01' } },
    faults: ['invalid_charge /calendar/due_date'],
  },
  { request: { amount: { original: '1.00' }, calendar: { due_date: today } }, faults: [] },
])('the due-date request $request has the faults $faults', ({ request, faults }) => {
  expect(faultsOf(request)).toEqual(faults)
})

test('a fault of a due-date request says what was expected', () => {
  const amount: DueDateAmountInput = {
    original: '0.00',
    fine: { modality: '1' },
    deduction: { modality: '2', amount: '100.00' },
  }
  const faults = chargeFaults({ ...base, amount, calendar: { due_date: '2026-11-01' } }, today)
  expect(faults.map(({ detail }) => detail)).toEqual([
    '"original" must be above zero.',
    '"due_date" must be 2026-11-02 or later.',
    '"amount" must be below 100 percent.',
    '"amount" is required.',
  ])
})
