import { expect, test } from 'vitest'
import { readContract } from '../src/contract/contract.ts'
import { fieldsOf } from '../src/contract/json.ts'
import { generateEdits } from '../src/generate.ts'

const contract = readContract()

/** The values that are sent at a place of an example, valid or invalid ones. */
function valuesAt(id: string, pointer: string, isValid: boolean, fields: object = {}): unknown[] {
  const operation = contract.operations.find((each) => each.id === id && !each.isAlias)
  if (!operation) throw new Error(`no operation ${id}`)
  const body = {
    ...fieldsOf(contract.examples(id)[0]),
    additional_infos: [{ name: 'a', value: 'b' }],
    ...fields,
  }
  const edits = generateEdits(operation, { body }, { day: () => '2026-11-24' })
  const meant = edits.filter((edit) => edit.pointer === pointer && edit.isValid === isValid)
  return meant.map(({ value }) => value)
}

test('it makes as many edits of each tx_id, so that random cases are the same in each run', () => {
  const counts = ['0', '1', 'A'].map((first) => {
    const tx_id = `${first}DA47686B3AA099DB114B795ABD712`
    return valuesAt('createImmediateQrCode', '/tx_id', true, { tx_id }).length
  })
  expect(new Set(counts).size).toBe(1)
})

interface Row {
  readonly pointer: string
  readonly valid: readonly unknown[]
  readonly invalid: readonly unknown[]
}

const ROWS: readonly Row[] = [
  {
    pointer: '/message',
    valid: [
      '',
      'a'.repeat(140),
      '💰'.repeat(140),
      undefined,
      'São João\nd\'Água "1"',
      'fulano+1@example.com',
    ],
    invalid: ['a'.repeat(141), 7, null],
  },
  {
    pointer: '/additional_infos',
    valid: [[], Array.from({ length: 50 }, () => ({ name: 'a', value: 'b' }))],
    invalid: [
      'x',
      null,
      [
        { name: 'a', value: 'b' },
        { name: 7, value: 7 },
      ],
    ],
  },
  {
    pointer: '/calendar/expiration',
    valid: [1, 4_294_967_296, 7200, 1800],
    invalid: [0, '3600', 3600.5],
  },
  {
    pointer: '/payer/can_change_document',
    valid: [true],
    invalid: ['false', 0, null],
  },
  {
    pointer: '/amount/original',
    valid: ['0.01'],
    invalid: ['-35.90', '35.9', 35.9, ' 35.90', '35.90\n'],
  },
  {
    pointer: '/payer/tax_id',
    valid: ['11222333000181', '12ABC34501DE35'],
    invalid: ['123.456.789-09', '12abc34501de35'],
  },
]

for (const { pointer, valid, invalid } of ROWS) {
  test(`it edits ${pointer} of an immediate QR code to values at and beyond its limits`, () => {
    const validValues = valuesAt('createImmediateQrCode', pointer, true)
    const invalidValues = valuesAt('createImmediateQrCode', pointer, false)
    expect(validValues).toEqual(expect.arrayContaining([...valid]))
    expect(invalidValues).toEqual(expect.arrayContaining([...invalid]))
  })
}

test('it edits the date of a discount to missing days before and after the due date', () => {
  const dates = valuesAt('createDueDateQrCode', '/amount/discount/fixedDateDiscount/0/date', false)
  expect(dates).toEqual(expect.arrayContaining(['2025-02-30', '2028-02-30', '2029-02-29']))
})

test('it edits each integer of a due-date QR code to ordinary values too', () => {
  const days = valuesAt('createDueDateQrCode', '/calendar/expiration_days', true)
  expect(days).toEqual([undefined, 0, 4_294_967_296, 60, 15])
})

test.each(['/calendar/due_date', '/amount/discount/fixedDateDiscount/0/date'])(
  'it edits %s to ordinary dates too: a week later, and the day before',
  (pointer) => {
    const amount = {
      original: '100.00',
      discount: { modality: '1', fixedDateDiscount: [{ amount: '5.00', date: '2026-12-14' }] },
    }
    const calendar = { due_date: '2026-12-14', expiration_days: 30 }
    const dates = valuesAt('createDueDateQrCode', pointer, true, { amount, calendar })
    expect(dates).toEqual(expect.arrayContaining(['2026-12-21', '2026-12-13']))
  },
)

test('it edits the state and the ZIP code of a payer to ordinary ones too', () => {
  const payer = { name: 'Fulano', tax_id: '12345678909', state: 'DF', zipcode: '70000000' }
  const valuesOf = (field: string) =>
    valuesAt('createDueDateQrCode', `/payer/${field}`, true, { payer })
  expect(valuesOf('state')).toContain('SP')
  expect(valuesOf('zipcode')).toContain('70000001')
})

test('it edits no date of today to one in the past', () => {
  const calendar = { due_date: '2026-11-24', expiration_days: 30 }
  const dates = valuesAt('createDueDateQrCode', '/calendar/due_date', true, { calendar })
  expect(dates).toContain('2026-12-01')
  expect(dates).not.toContain('2026-11-23')
})
