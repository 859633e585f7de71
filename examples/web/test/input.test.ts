import { expect, test } from 'vitest'
import { amountOf, keyOf } from '../shared/input.ts'

test.each([
  ['10', '10.00'],
  [' 10,5 ', '10.50'],
  ['0.01', '0.01'],
  ['9999999999.99', '9999999999.99'],
])('reads %j as the amount %s', (typed, amount) => {
  expect(amountOf(typed)).toBe(amount)
})

test.each(['', '0', '0,00', '1.000', '1,000.00', '-1', '1e3', 'ten', '.', '12345678901'])(
  'reads %j as no amount',
  (typed) => {
    expect(amountOf(typed)).toBeUndefined()
  },
)

test.each([
  ['Fulano@Example.com', 'fulano@example.com'],
  ['12abc34501de35', '12ABC34501DE35'],
  [' +5561912345678', '+5561912345678'],
  ['123.456.789-09', undefined],
])('reads %j as the key %s', (typed, key) => {
  expect(keyOf(typed)).toBe(key)
})
