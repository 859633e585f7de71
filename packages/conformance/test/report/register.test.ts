import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { visible } from '../../src/model/visible.ts'
import { renderRegister } from '../../src/report/register.ts'
import { fullResult, HOSTILE, hostileResult, result, verdict } from './results.ts'

const by = ['invariants']

test('has the verdict, the observations and the date of each question', () => {
  expect(parse(renderRegister(fullResult()))).toEqual({
    'key-kinds': { verdict: 'confirmed', by, at: '2026-11-21' },
    bounds: {
      verdict: 'contradicted',
      seen: 'An amount of twelve digits was accepted.',
      by,
      at: '2026-11-21',
    },
    versioning: { verdict: 'not-exercised', at: '2026-11-21' },
  })
})

test('the date is in UTC', () => {
  const run = result({ startedAt: '2026-11-21T23:30:00-03:00', verdicts: [verdict()] })
  expect(parse(renderRegister(run))).toEqual({
    'key-kinds': { verdict: 'confirmed', by, at: '2026-11-22' },
  })
})

test('hostile text stays within comments and values', () => {
  const text = renderRegister(hostileResult())
  const seen = visible(HOSTILE)
  expect(parse(text)).toEqual({ [seen]: { verdict: 'contradicted', seen, by, at: '2026-11-21' } })
  expect(text).not.toContain('\r')
})

test('is an empty map without verdicts', () => {
  expect(parse(renderRegister(result()))).toEqual({})
})
