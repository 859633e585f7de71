import { serve } from '@partner-payments/sandbox'
import { check } from '../../src/check.ts'
import type { CheckOptions } from '../../src/engine/check-options.ts'
import type { Result } from '../../src/engine/result.ts'
import type { Plant } from '../faulty/plant.ts'
import type { Posted } from '../faulty/relay.ts'
import type { Relay } from '../faulty/sandbox.ts'
import { type Started, startFaulty, startPlanted } from '../faulty/start.ts'

/** A mutant id, a relay between the service and its receivers, or a fault. */
export type Change = string | Relay | Plant

/** The result of some rules on the correct sandbox over HTTP, or on a changed one: deliveries need sockets. */
export async function resultOf(
  rules: readonly string[],
  change?: Change,
  options: Pick<CheckOptions, 'operations' | 'deliveryWithinMs'> = {},
): Promise<Result> {
  const started = await start(change)
  try {
    return await check({
      url: started.url,
      target: 'sandbox',
      credentials: { clientKey: 'partner', clientSecret: 'secret' },
      other: { clientKey: 'other', clientSecret: 'secret' },
      only: rules,
      deliveryWithinMs: change === undefined ? 10_000 : 6_000,
      ...options,
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

/** Sends every delivery twice, the second time with a change. */
export function twice(change: (posted: Posted) => Posted = (it) => it): Relay {
  return async (posted, send) => {
    await send(posted)
    return send(change(posted))
  }
}
