import { setTimeout as sleep } from 'node:timers/promises'
import { isAnyClaimed } from '../deliveries/claim.ts'
import { haltDeliveries } from '../deliveries/halt.ts'
import type { Worker } from '../due/worker.ts'
import { reset } from '../seed/seed.ts'
import type { Store } from '../store/store.ts'
import type { LimitOf } from './clock.ts'
import type { StateSources } from './state.ts'

/** Milliseconds for deliveries in progress to finish by themselves. */
const GRACE_MS = 500
/**
 * Milliseconds after that for other instances to abandon theirs. Claims of a stopped instance would
 * last a minute.
 */
const ELSEWHERE_MS = 1_000
const LOOK_MS = 25

interface Resetting extends Pick<StateSources, 'clock' | 'context'> {
  readonly worker: Worker
  readonly limitOf: LimitOf
}

/**
 * Empties the state, restores the seed data and resets the clock. First it waits for deliveries in
 * progress, also of other instances. Those that take too long are abandoned, and nothing of them is
 * recorded. If it fails, state and clock stay as they were.
 */
export async function resetState({ clock, context, worker, limitOf }: Resetting): Promise<void> {
  const { store } = context

  /** Resets state and clock while no background work runs. If it fails, the clock stays. */
  async function resetAlone(): Promise<void> {
    // Other instances start no deliveries now, and abandon those in progress.
    await haltDeliveries(store)
    // Only with PostgreSQL can other instances have deliveries in progress.
    if (store.backend === 'postgres') await othersEnded(store, limitOf(ELSEWHERE_MS))

    const undo = clock.reset()
    try {
      await reset(store, context)
    } catch (error) {
      undo()
      throw error
    }
  }

  // The background work of this instance stops meanwhile.
  await worker.alone(resetAlone, limitOf(GRACE_MS))
}

/** Resolves when no instance has a delivery in progress, or the limit aborts. */
async function othersEnded(store: Store, limit: AbortSignal): Promise<void> {
  while (!limit.aborted && (await isAnyClaimed(store))) await sleep(LOOK_MS)
}
