import { expect, test } from 'vitest'
import { readContract } from '../src/contract/contract.ts'
import { fieldsOf } from '../src/contract/json.ts'
import { editsOf } from '../src/generate.ts'

const contract = readContract()

/** The values that are sent at a place of an example, valid or invalid ones. */
function valuesAt(id: string, pointer: string, isValid: boolean): unknown[] {
  const operation = contract.operations.find((it) => it.id === id && !it.isAlias)
  if (!operation) throw new Error(`no operation ${id}`)
  const body = {
    ...fieldsOf(contract.examples(id)[0]),
    additional_infos: [{ name: 'a', value: 'b' }],
  }
  const edits = editsOf(operation, { body }, { day: () => '2026-11-24' })
  return edits
    .filter((it) => it.pointer === pointer && it.isValid === isValid)
    .map(({ value }) => value)
}

const rows: readonly [pointer: string, valid: unknown[], invalid: unknown[]][] = [
  [
    '/message',
    [
      '',
      'a'.repeat(140),
      '💰'.repeat(140),
      undefined,
      'São João\nd\'Água "1"',
      'fulano+1@example.com',
    ],
    ['a'.repeat(141), 7, null],
  ],
  [
    '/additional_infos',
    [[], Array.from({ length: 50 }, () => ({ name: 'a', value: 'b' }))],
    [
      'x',
      null,
      [
        { name: 'a', value: 'b' },
        { name: 7, value: 7 },
      ],
    ],
  ],
  ['/calendar/expiration', [1, 4_294_967_296], [0, '3600', 3600.5]],
  ['/payer/can_change_document', [true], ['false', 0, null]],
  ['/amount/original', ['0.01'], ['-35.90', '35.9', 35.9, ' 35.90', '35.90\n']],
  ['/payer/tax_id', ['11222333000181', '12ABC34501DE35'], ['123.456.789-09', '12abc34501de35']],
]

test.each(rows)(
  'it edits %s of an immediate QR code to values at and beyond its limits',
  (pointer, valid, invalid) => {
    expect(valuesAt('createImmediateQrCode', pointer, true)).toEqual(expect.arrayContaining(valid))
    expect(valuesAt('createImmediateQrCode', pointer, false)).toEqual(
      expect.arrayContaining(invalid),
    )
  },
)

test('it edits the date of a discount to missing days before and after the due date', () => {
  const dates = valuesAt('createDueDateQrCode', '/amount/discount/fixedDateDiscount/0/date', false)
  expect(dates).toEqual(expect.arrayContaining(['2025-02-30', '2028-02-30', '2029-02-29']))
})
