import type { Context } from '../context.ts'
import type { Queries } from '../store/store.ts'

/** A delivery that this instance has taken. */
export type Claimed = {
  readonly event_id: string
  readonly webhook_id: string
  readonly attempts: bigint
  readonly body: string
  readonly url: string
  readonly secret: string
  readonly old_secret: string | null
  readonly old_secret_until: bigint | null
}

/**
 * Deliveries at a time, at most. All of them may go to one receiver, which gets four at a time for 15 s each: twelve
 * end within 45 s, before another instance takes them for left behind.
 */
const BATCH = 12
/** Milliseconds that an instance has for an attempt before another takes it for gone. */
const CLAIM = 60_000

/** Takes deliveries that are due; other instances take others. What an inactive webhook would get is dropped. */
export function claimDue({ store, now }: Pick<Context, 'store' | 'now'>): Promise<Claimed[]> {
  return store.write(async (queries) => {
    const at = now()
    const due = await queries.all<{ position: bigint }>(DUE + store.skipLocked, [at, at])
    const claimed: Claimed[] = []
    for (const { position } of due) {
      const row = await queries.get<Claimed>(ONE, [position])
      if (row) claimed.push(row)
      await queries.run(row ? TAKE : DROP, row ? [at + CLAIM, position] : [position])
    }
    return claimed
  })
}

const DUE = `SELECT position FROM deliveries WHERE due_at <= ? AND claimed_until <= ? ORDER BY due_at, position LIMIT ${BATCH}`
const ONE = `
  SELECT d.event_id, d.webhook_id, d.attempts, e.body, w.url, w.secret, w.old_secret, w.old_secret_until
  FROM deliveries d JOIN events e ON e.id = d.event_id JOIN webhooks w ON w.id = d.webhook_id
  WHERE d.position = ? AND w.status = 'active' AND w.deleted_at IS NULL`
const TAKE = 'UPDATE deliveries SET claimed_until = ? WHERE position = ?'
const DROP = `UPDATE deliveries SET status = 'dropped', due_at = NULL WHERE position = ?`

/** When the next delivery is due; undefined where none is. */
export async function nextDelivery(queries: Queries): Promise<number | undefined> {
  const sql = `SELECT min(CASE WHEN claimed_until > due_at THEN claimed_until ELSE due_at END) AS due_at
    FROM deliveries WHERE due_at IS NOT NULL`
  const row = await queries.get<{ due_at: bigint | null }>(sql)
  return row?.due_at == null ? undefined : Number(row.due_at)
}
