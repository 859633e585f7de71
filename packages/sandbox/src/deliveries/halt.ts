import type { Store } from '../store/store.ts'

/** Maximum duration of a halt in milliseconds. An instance that takes longer has crashed. */
const HALT_MS = 5_000
/** Milliseconds between two checks. */
const LOOK_MS = 250

/**
 * Halts the deliveries of every instance that shares the state: nothing is claimed, and deliveries
 * in progress are abandoned.
 */
export async function haltDeliveries(store: Store): Promise<void> {
  if (store.backend === 'sqlite') return
  // Run exclusively, so that every claim is either committed already or sees the halt.
  await store.alone((queries) => queries.run(haltStatement(store)))
}

function haltStatement({ time }: Store): string {
  return `
    INSERT INTO settings (name, value) VALUES ('halted_until', CAST(${time} + ${HALT_MS} AS TEXT))
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`
}

/**
 * Selects a row while deliveries are halted. Until 2286, milliseconds have thirteen digits, so they
 * compare as strings.
 */
function selectHalt({ time }: Store): string {
  return `
    SELECT 1 AS is_halted FROM settings
    WHERE name = 'halted_until' AND value > CAST(${time} AS TEXT)`
}

/** An SQL condition that is true while deliveries are not halted. */
export function notHaltedCondition(store: Store): string {
  return store.backend === 'sqlite' ? '1 = 1' : `NOT EXISTS (${selectHalt(store)})`
}

/**
 * Returns a function that checks for a halt by another instance, again and again as long as
 * `isNeeded` returns true, and calls `onHalt` for each. A halt is the order of an instance, before
 * a reset, to abandon all deliveries. The function does nothing with SQLite, where no other
 * instance can share the state.
 */
export function createHaltWatch(
  store: Store,
  isNeeded: () => boolean,
  onHalt: () => void,
): () => void {
  let isWatching = false

  function watch(): void {
    const canBeHalted = store.backend === 'postgres' && isNeeded()
    if (isWatching || !canBeHalted) return
    isWatching = true
    setTimeout(checkForHalt, LOOK_MS).unref()
  }

  async function checkForHalt(): Promise<void> {
    isWatching = false
    if (await isHalted(store)) onHalt()
    watch()
  }

  return watch
}

/**
 * Whether an instance has halted all deliveries. False if the database cannot be reached: the next
 * check may succeed.
 */
async function isHalted(store: Store): Promise<boolean> {
  try {
    const row = await store.read((queries) => queries.get(selectHalt(store)))
    return row !== undefined
  } catch {
    return false
  }
}
