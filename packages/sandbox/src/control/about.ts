import { SERVICES } from '@partner-payments/contract'
import own from '../../package.json' with { type: 'json' }
import type { Clock } from '../clock.ts'
import { clockOf } from './clock.ts'

/** How programs recognize a sandbox before they pay or reset anything. */
export function aboutOf(clock: Clock) {
  const { now, frozen } = clockOf(clock)
  return { service: SERVICES.sandbox, version: own.version, now, frozen }
}
