import { setTimeout as sleep } from 'node:timers/promises'
import { isAnyClaimed } from '../deliveries/claim.ts'
import { haltDeliveries } from '../deliveries/halt.ts'
import type { Sandbox } from '../sandbox.ts'
import { reset } from '../seed/seed.ts'
import type { Store } from '../store/store.ts'
import type { LimitOf } from './limit.ts'

/** Milliseconds that deliveries under way have to end by themselves. */
const GRACE_MS = 500
/** Milliseconds that other instances have after that to abandon theirs. The claims of a stopped one would last a minute. */
const ELSEWHERE_MS = 1_000
const LOOK_MS = 25

/**
 * Empties the state, writes the seed data anew, and puts the clock back. Deliveries under way, of other instances too,
 * end before; those that take longer are abandoned, and nothing of them is on record.
 */
export async function resetState(sandbox: Sandbox, limitOf: LimitOf): Promise<void> {
  const { clock, context, store, worker } = sandbox
  await worker.alone(async () => {
    await haltDeliveries(store)
    await deliveredElsewhere(store, limitOf(ELSEWHERE_MS))
    clock.reset()
    await store.alone((queries) => reset(queries, context))
  }, limitOf(GRACE_MS))
}

/** Resolves when no other instance is at a delivery, or when a signal aborts. */
async function deliveredElsewhere(store: Store, limit: AbortSignal): Promise<void> {
  if (store.backend === 'sqlite') return
  while (!limit.aborted && (await isAnyClaimed(store))) await sleep(LOOK_MS)
}
