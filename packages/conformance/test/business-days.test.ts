import { expect, test } from 'vitest'
import { isCalculableDay, payableUntil } from '../src/model/amounts.ts'

test.each([
  { title: 'a business day stays', due: '2026-11-19', payable: '2026-11-19' },
  { title: 'a Saturday moves to Monday', due: '2026-11-28', payable: '2026-11-30' },
  { title: 'Good Friday moves to Monday', due: '2026-04-03', payable: '2026-04-06' },
  { title: 'Good Friday of a late Easter does too', due: '2076-04-17', payable: '2076-04-20' },
  { title: 'the Monday of carnival moves to Wednesday', due: '2026-02-16', payable: '2026-02-18' },
  { title: 'Black Awareness is a holiday', due: '2026-11-20', payable: '2026-11-23' },
  { title: 'Black Awareness was none in 2023', due: '2023-11-20', payable: '2023-11-20' },
])('$title', ({ due, payable }) => {
  expect(payableUntil(due, 0)).toBe(payable)
})

test('no day is calculated for which Easter is not known', () => {
  expect(['1899-12-31', '1900-01-01', '2099-12-31', '2100-01-01'].map(isCalculableDay)).toEqual([
    false,
    true,
    true,
    false,
  ])
})
