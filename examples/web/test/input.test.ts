import { expect, test } from 'vitest'
import { amountOf, keyOf } from '../shared/input.ts'

test.each([
  { typed: '10', amount: '10.00' },
  { typed: ' 10,5 ', amount: '10.50' },
  { typed: '0.01', amount: '0.01' },
  { typed: '9999999999.99', amount: '9999999999.99' },
])('reads $typed as the amount $amount', ({ typed, amount }) => {
  expect(amountOf(typed)).toBe(amount)
})

test.each(['', '0', '0,00', '1.000', '1,000.00', '-1', '1e3', 'ten', '.', '12345678901'])(
  'reads %j as no amount',
  (typed) => {
    expect(amountOf(typed)).toBeUndefined()
  },
)

test.each([
  { typed: 'Fulano@Example.com', key: 'fulano@example.com' },
  { typed: '12abc34501de35', key: '12ABC34501DE35' },
  { typed: ' +5561912345678', key: '+5561912345678' },
  { typed: '123.456.789-09', key: undefined },
])('reads $typed as the key $key', ({ typed, key }) => {
  expect(keyOf(typed)).toBe(key)
})
