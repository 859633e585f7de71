import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../random.ts'
import type { ServiceOptions } from '../../service/service.ts'
import { disturbanceOf } from './fault.ts'
import { faultOf } from './header.ts'
import { createRules, type Rules } from './rules.ts'

/** What goes wrong on purpose, by rule or by header. A header goes before the rules, and uses none up. */
export interface Faults {
  readonly rules: Rules
  readonly disturb: NonNullable<ServiceOptions['disturb']>
  /** Whether a rule fails the next attempt of a delivery; uses it up by one. */
  readonly failsDelivery: () => boolean
  /** Ends every wait. */
  close(): void
}

/** @param now the time of the sandbox; not asked before there is a rule */
export function createFaults(random: Random, now: () => number): Faults {
  const rules = createRules(random, now)
  const closing = new AbortController()
  // As many as requests wait.
  setMaxListeners(0, closing.signal)
  return {
    rules,
    disturb(operation, request) {
      const fault = faultOf(request) ?? rules.take(operation)
      return fault && disturbanceOf(fault, (ms) => pause(ms, closing.signal))
    },
    failsDelivery: rules.takeDelivery,
    close: () => closing.abort(),
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // A sandbox that closes gives its answers now rather than not at all.
  await sleep(ms, undefined, { signal }).catch(() => {})
}
