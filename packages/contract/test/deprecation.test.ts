import { expect, it } from 'vitest'
import { deprecationHeaders, deprecationOf, deprecationText } from '../src/index.ts'

const days = { since: '2026-12-01', sunset: '2027-06-01' }

it('reads nothing of an operation that is not deprecated', () => {
  expect(deprecationOf({ 'x-deprecation': days })).toBeUndefined()
  expect(deprecationHeaders(undefined)).toEqual({})
})

it('reads the days of a deprecation', () => {
  expect(deprecationOf({ deprecated: true, 'x-deprecation': days })).toEqual(days)
  expect(deprecationOf({ deprecated: true })).toEqual({ since: undefined, sunset: undefined })
})

it('writes deprecation as a date of structured fields, and sunset as an HTTP date', () => {
  expect(deprecationHeaders(days)).toEqual({
    deprecation: '@1796083200',
    sunset: 'Tue, 01 Jun 2027 00:00:00 GMT',
  })
  expect(deprecationHeaders({ since: '2026-12-01', sunset: undefined })).toEqual({
    deprecation: '@1796083200',
  })
})

it('says since when an operation is deprecated, and how long it works', () => {
  expect(deprecationText(days)).toBe('Deprecated since 2026-12-01. It stops working on 2027-06-01.')
  expect(deprecationText({ since: undefined, sunset: undefined })).toBe(
    'Deprecated. A later version of the contract removes it.',
  )
})
