import { describe, expect, test } from 'vitest'
import { amountsOn, type Charge } from '../../src/money/charge.ts'

// Tuesday. After it, a holiday and weekends until Monday 11 January; before it, Christmas and weekends from Friday 18
// December.
const due = { original: '123.45', due_date: '2020-12-29' }
const late = '2021-01-11'
const early = '2020-12-18'

describe('the examples of the standard', () => {
  test('100.00, two days late, a fine of 3 % and interest of 1 % a day: 105.00 (Pix API 2.9.0, componentesValor)', () => {
    const given: Charge = {
      original: '100.00',
      due_date: '2020-12-29',
      fine: { modality: '2', amount: '3.00' },
      interest: { modality: '2', amount: '1.00' },
    }
    const parts = { original: 10000n, deduction: 0n, discount: 0n, interest: 200n, fine: 300n, final: 10500n }
    expect(amountsOn(given, '2020-12-31')).toEqual(parts)
  })

  test('300.00 less until 10 December (Manual de Padrões 2.10.0, annex III, 4.2.1)', () => {
    const fixedDateDiscount = [{ date: '2020-12-10', amount: '300.00' }]
    const given: Charge = {
      original: '1000.00',
      due_date: '2020-12-15',
      discount: { modality: '1', fixedDateDiscount },
    }
    expect(amountsOn(given, '2020-12-10')).toMatchObject({ discount: 30000n, final: 70000n })
    expect(amountsOn(given, '2020-12-11')).toMatchObject({ discount: 0n, final: 100000n })
  })

  test('100.00 less for each day before 10 December (Manual de Padrões 2.10.0, annex III, 4.2.2)', () => {
    const given: Charge = {
      original: '1000.00',
      due_date: '2020-12-10',
      discount: { modality: '3', amount: '100.00' },
    }
    expect(amountsOn(given, '2020-12-07')).toMatchObject({ discount: 30000n, final: 70000n })
    expect(amountsOn(given, '2020-12-10')).toMatchObject({ discount: 0n, final: 100000n })
  })
})

// Early: by 11 calendar days, 6 of them business days. Late: by 13 calendar days, 8 of them business days.
test.each<[Partial<Charge>, ...amounts: [early: bigint, due: bigint, late: bigint]]>([
  [{ fine: { modality: '1', amount: '15.00' } }, 0n, 0n, 1500n],
  [{ fine: { modality: '2', amount: '15.00' } }, 0n, 0n, 1851n],
  [{ deduction: { modality: '1', amount: '10.00' } }, 1000n, 1000n, 1000n],
  [{ deduction: { modality: '2', amount: '10.00' } }, 1234n, 1234n, 1234n],
  [{ interest: { modality: '1', amount: '2.50' } }, 0n, 0n, 3250n],
  [{ interest: { modality: '2', amount: '2.50' } }, 0n, 0n, 4012n],
  [{ interest: { modality: '3', amount: '2.50' } }, 0n, 0n, 133n],
  [{ interest: { modality: '4', amount: '2.50' } }, 0n, 0n, 11n],
  [{ interest: { modality: '5', amount: '2.50' } }, 0n, 0n, 2000n],
  [{ interest: { modality: '6', amount: '2.50' } }, 0n, 0n, 2469n],
  [{ interest: { modality: '7', amount: '2.50' } }, 0n, 0n, 117n],
  [{ interest: { modality: '8', amount: '2.50' } }, 0n, 0n, 9n],
  [{ discount: { modality: '3', amount: '1.75' } }, 1925n, 0n, 0n],
  [{ discount: { modality: '4', amount: '1.75' } }, 1050n, 0n, 0n],
  [{ discount: { modality: '5', amount: '1.75' } }, 2376n, 0n, 0n],
  [{ discount: { modality: '6', amount: '1.75' } }, 1296n, 0n, 0n],
])('%j is %d early, %d on the due date and %d late', (given, ...expected) => {
  const [name] = Object.keys(given) as ['fine' | 'deduction' | 'interest' | 'discount']
  const amounts = [early, due.due_date, late].map((day) => amountsOn({ ...due, ...given }, day)[name])
  expect(amounts).toEqual(expected)
})

describe('interest', () => {
  test('truncates its rate to six places: 1.00 % a month of 13 days is 0.004333', () => {
    const given: Charge = {
      original: '1000000.00',
      due_date: '2020-12-29',
      interest: { modality: '3', amount: '1.00' },
    }
    expect(amountsOn(given, late).interest).toBe(433300n)
  })
})

describe('deduction', () => {
  test('is subtracted before percentages apply', () => {
    const given: Charge = {
      original: '200.00',
      due_date: '2020-12-29',
      deduction: { modality: '1', amount: '100.00' },
      discount: { modality: '2', fixedDateDiscount: [{ date: '2020-12-28', amount: '10.00' }] },
      fine: { modality: '2', amount: '10.00' },
      interest: { modality: '2', amount: '1.00' },
    }
    expect(amountsOn(given, '2020-12-28')).toMatchObject({ discount: 1000n, final: 9000n })
    expect(amountsOn(given, '2020-12-30')).toMatchObject({ interest: 100n, fine: 1000n, final: 11100n })
  })
})

describe('discount', () => {
  test.each(['1', '2'] as const)('of modality %s, by dates in any order', (modality) => {
    const fixedDateDiscount = [
      { date: '2020-12-22', amount: '5.00' },
      { date: '2020-12-14', amount: '10.00' },
      { date: '2020-12-29', amount: '2.00' },
    ]
    const given: Charge = { ...due, discount: { modality, fixedDateDiscount } }
    const days = ['2020-12-14', '2020-12-15', '2020-12-23', '2020-12-30']
    const discounts = days.map((day) => amountsOn(given, day).discount)
    expect(discounts).toEqual(modality === '1' ? [1000n, 500n, 200n, 0n] : [1234n, 617n, 246n, 0n])
  })

  test('lasts until the business day after its date', () => {
    // A Sunday.
    const fixedDateDiscount = [{ date: '2020-12-13', amount: '10.00' }]
    const given: Charge = { ...due, discount: { modality: '1', fixedDateDiscount } }
    expect(amountsOn(given, '2020-12-14').discount).toBe(1000n)
    expect(amountsOn(given, '2020-12-15').discount).toBe(0n)
  })

  test('by days counts to the original due date, business day or not', () => {
    // A Sunday. The Friday before is two calendar days early, and no business day early.
    const given = (modality: '3' | '4'): Charge => ({
      original: '100.00',
      due_date: '2020-12-13',
      discount: { modality, amount: '1.00' },
    })
    expect(amountsOn(given('3'), '2020-12-11').discount).toBe(200n)
    expect(amountsOn(given('4'), '2020-12-11').discount).toBe(0n)
  })
})

test('a due date on a holiday moves: Monday is not late, and Tuesday is one day late', () => {
  const given: Charge = {
    original: '100.00',
    due_date: '2020-12-25',
    fine: { modality: '1', amount: '2.00' },
    interest: { modality: '1', amount: '1.00' },
  }
  expect(amountsOn(given, '2020-12-28')).toMatchObject({ fine: 0n, interest: 0n })
  expect(amountsOn(given, '2020-12-29')).toMatchObject({ fine: 200n, interest: 100n })
})

test('reductions end at zero', () => {
  const deducted: Charge = {
    ...due,
    deduction: { modality: '1', amount: '200.00' },
    fine: { modality: '1', amount: '3.00' },
    interest: { modality: '2', amount: '1.00' },
  }
  const parts = { deduction: 12345n, interest: 0n, fine: 300n, final: 300n }
  expect(amountsOn(deducted, late)).toMatchObject(parts)
  const discounted: Charge = {
    ...due,
    deduction: { modality: '2', amount: '50.00' },
    discount: { modality: '3', amount: '20.00' },
  }
  expect(amountsOn(discounted, early)).toMatchObject({ deduction: 6172n, discount: 6173n, final: 0n })
})

test('absent fields count as zero', () => {
  const given: Charge = { due_date: '2020-12-25', discount: {}, fine: {}, interest: {}, deduction: {} }
  const parts = { original: 0n, deduction: 0n, discount: 0n, interest: 0n, fine: 0n, final: 0n }
  expect(amountsOn(given, '2020-12-31')).toEqual(parts)
  expect(amountsOn({ ...given, deduction: { amount: '1.00' }, original: '9.00' }, late).final).toBe(900n)
})

test('an invalid amount is refused', () => {
  expect(() => amountsOn({ ...due, original: '1,00' }, late)).toThrow(TypeError)
})
