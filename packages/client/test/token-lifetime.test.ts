import type { Behaviour } from '@partner-payments/spec/behaviour'
import built from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { printTokenLifetime } from '../build/token-lifetime.ts'

/** The contract with another unit of `expiration`. */
function withUnit(unit: string): Behaviour {
  const changed = structuredClone(built)
  changed.lifetimes['access-token'].expires.unit = unit
  return changed as Behaviour
}

test.each([
  { unit: 'seconds', ms: 1000 },
  { unit: 'milliseconds', ms: 1 },
])('the unit $unit of a lifetime is that of the contract', ({ unit, ms }) => {
  expect(printTokenLifetime(withUnit(unit))).toContain(`EXPIRATION_UNIT_MS = ${ms}\n`)
})

test('a unit that the client does not know stops its build', () => {
  expect(() => printTokenLifetime(withUnit('fortnights'))).toThrow('no unit "fortnights"')
})
