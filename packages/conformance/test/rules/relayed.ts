import { serve } from '@partner-payments/sandbox'
import { check } from '../../src/check.ts'
import type { Result } from '../../src/engine/result.ts'
import type { Plant } from '../faulty/fault.ts'
import { listen } from '../faulty/listen.ts'
import type { Posted } from '../faulty/relay.ts'
import { planted, type Started, startFaulty } from '../faulty/start.ts'
import type { Relay } from '../faulty/world.ts'
import { openWorld } from '../faulty/world.ts'
import type { Seen } from './held.ts'

/** A mutant by its id, something between the service and its receivers, or something before it too. */
export type Change = string | Relay | Plant

/**
 * Runs one rule against the right sandbox over HTTP, or against a changed one: deliveries go by socket, so that a
 * transport in the process would not do.
 */
export function runOf(rule: string): (change?: Change) => Promise<Seen> {
  return async (change) => {
    const { rules, findings } = await resultOf([rule], change)
    const found = findings.map((it) => `${it.kind} ${it.rule} ${it.operation ?? 'all'}`)
    return { status: rules.find((it) => it.rule === rule)?.status, found: [...new Set(found)] }
  }
}

/** All that a run of some rules says. */
export async function resultOf(rules: readonly string[], change?: Change): Promise<Result> {
  const started = await start(change)
  try {
    return await check({
      url: started.url,
      target: 'sandbox',
      credentials: { clientKey: 'partner', clientSecret: 'secret' },
      other: { clientKey: 'other', clientSecret: 'secret' },
      only: rules,
      deliveryWithinMs: change === undefined ? 8_000 : 3_000,
    })
  } finally {
    await started.close()
  }
}

function start(change: Change | undefined): Promise<Started> {
  if (change === undefined) return serve({ port: 0, allowLoopback: true, limitsRates: false })
  if (typeof change === 'string') return startFaulty(change)
  return startPlanted(typeof change === 'function' ? { relay: change } : change)
}

/** The right sandbox, with something before it or between it and the receivers of its deliveries. */
async function startPlanted(plant: Plant): Promise<Started> {
  const world = await openWorld()
  const { url, close } = await listen(planted(world, plant))
  return {
    url,
    async close() {
      await close()
      await world.close()
    },
  }
}

/** Sends every delivery twice, the second time with a change. */
export function twice(change: (posted: Posted) => Posted = (it) => it): Relay {
  return async (posted, send) => {
    await send(posted)
    return send(change(posted))
  }
}
