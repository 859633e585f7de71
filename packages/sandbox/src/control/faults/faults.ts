import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../random.ts'
import type { ServiceOptions } from '../../service/service.ts'
import { disturbanceOf, faultOf } from './fault.ts'

import { createRules, type Rules } from './rules.ts'

/** Injects faults, by rule or by request header. The header takes precedence and uses up no rule. */
export interface Faults {
  readonly rules: Rules
  readonly disturb: NonNullable<ServiceOptions['disturb']>
  /** Whether a rule fails the next delivery attempt. Each call uses the rule once. */
  readonly failsDelivery: () => boolean
  /** Ends all delays. */
  close(): void
}

/** @param now the time of the sandbox; not called before the first rule */
export function createFaults(random: Random, now: () => number): Faults {
  const rules = createRules(random, now)
  const closing = new AbortController()
  // Every delayed request listens on this signal.
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
  // When the sandbox closes, delayed responses are sent at once.
  await sleep(ms, undefined, { signal }).catch(() => {})
}
