import { expect, test } from 'vitest'
import { amountIn, money } from '../src/money.ts'

test('shows amounts exactly, and nothing for zero', () => {
  expect(money('10.50')).toBe('R$10.50')
  expect(money('90071992547409.93', '+')).toBe('+R$90,071,992,547,409.93')
  expect(money('0')).toBe('')
  expect(money('0.00')).toBe('')
})

test.each([
  ['10', '10.00'],
  [' 10,5 ', '10.50'],
  ['0.01', '0.01'],
])('reads %j as %s', (typed, amount) => {
  expect(amountIn(typed)).toBe(amount)
})

test.each(['', '0', '0,00', '1.000', '1,000.00', '-1', '1e3', 'ten', '.'])(
  'reads %j as no amount',
  (typed) => {
    expect(amountIn(typed)).toBeUndefined()
  },
)
