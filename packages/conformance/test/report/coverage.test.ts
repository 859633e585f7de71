import { expect, test } from 'vitest'
import { percent, unseenOf } from '../../src/report/coverage.ts'
import { fullResult } from './results.ts'

test('it rounds coverage down, and names what was not observed', () => {
  expect(percent({ seen: 999, all: 1000 })).toBe(99)
  expect(percent({ seen: 0, all: 0 })).toBeUndefined()
  expect([...unseenOf(fullResult())]).toEqual([
    ['Operations without a success', ['createTransfer']],
    [
      'Statuses and media types never returned',
      ['checkKey 429 application/problem+json', 'createTransfer 201 application/json'],
    ],
    ['Request keywords of which no invalid value was refused', ['/components/schemas/Ispb/pattern']],
  ])
})
