import type { Store } from '../store/store.ts'

/** Milliseconds that a halt lasts at most: an instance that takes longer has stopped. */
const LASTS = 5_000
/** Milliseconds between two checks. */
const LOOK_MS = 250

/** Halts the deliveries of every instance that shares the state: nothing is claimed, and what is under way is abandoned. */
export async function haltDeliveries(store: Store): Promise<void> {
  if (store.backend === 'sqlite') return
  // Alone, so that every claim either is committed already or sees the halt.
  await store.alone((queries) => queries.run(halt(store)))
}

const halt = ({ time }: Store) => `
  INSERT INTO settings (name, value) VALUES ('halted_until', CAST(${time} + ${LASTS} AS TEXT))
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`

/** Selects a row while deliveries are halted. Milliseconds have thirteen digits until 2286, so texts compare as numbers. */
const halted = ({ time }: Store) =>
  `SELECT 1 AS found FROM settings WHERE name = 'halted_until' AND value > CAST(${time} AS TEXT)`

/** A condition that holds while deliveries are not halted. */
export function notHalted(store: Store): string {
  return store.backend === 'sqlite' ? '1 = 1' : `NOT EXISTS (${halted(store)})`
}

interface HaltWatchOptions {
  readonly isNeeded: () => boolean
  readonly onHalt: () => void
}

/** Looks for a halt by another instance from now on, while that is needed. */
export type WatchForHalt = () => void

/** Makes the watch of an instance. Where no other can share the state, it does nothing. */
export function createHaltWatch(store: Store, { isNeeded, onHalt }: HaltWatchOptions): WatchForHalt {
  let isWatching = false
  const look = async () => {
    isWatching = false
    // Where the database cannot be reached, the next look may find it.
    if (await store.read((queries) => queries.get(halted(store))).catch(() => undefined)) onHalt()
    watch()
  }
  const watch = () => {
    if (store.backend === 'sqlite' || isWatching || !isNeeded()) return
    isWatching = true
    setTimeout(look, LOOK_MS).unref()
  }
  return watch
}
