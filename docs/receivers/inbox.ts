import { DatabaseSync } from 'node:sqlite'
import type { RawBody } from '@partner-payments/webhooks'

// The receiver and the worker may be two processes: each waits up to 5 seconds while the other
// writes.
const database = new DatabaseSync(process.env.INBOX ?? 'inbox.db', { timeout: 5000 })
database.exec(`CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT NOT NULL,
  attempts INTEGER DEFAULT 0, due INTEGER DEFAULT 0, done INTEGER DEFAULT 0)`)

const HOUR_MS = 3_600_000
// A lease has at most an hour, so a time two hours ahead is from before the clock was set back. The
// second hour is for small corrections of the clock, while the work goes on.
const open = `NOT done AND (due <= :now OR due > :now + ${2 * HOUR_MS}) AND attempts`
const insert = database.prepare('INSERT INTO inbox (id, body) VALUES (?, ?) ON CONFLICT DO NOTHING')
const live = database.prepare(
  `SELECT id, body FROM inbox WHERE ${open} < 5 ORDER BY rowid LIMIT 100`,
)
const dead = database.prepare(
  `SELECT id, body FROM inbox WHERE ${open} >= 5 ORDER BY rowid LIMIT 100`,
)
const begin = database.prepare(
  `UPDATE inbox SET attempts = attempts + 1, due = :until WHERE id = :id AND ${open} < 5`,
)
const finish = database.prepare('UPDATE inbox SET done = 1 WHERE id = ?')
const revive = database.prepare('UPDATE inbox SET attempts = 0 WHERE id = ?')

type Kept = { id: string; body: string }

/**
 * Events on their way from the receiver to whoever works on them: each is kept once, and outlives a
 * crash.
 */
export const inbox = {
  /** Keeps the body of an event as it was verified, unless it was delivered before. */
  add(id: string, body: RawBody): void {
    insert.run(id, typeof body === 'string' ? body : new TextDecoder().decode(body))
  },
  /** Up to 100 events to work on, the first to come first. */
  waiting: (): Kept[] => live.all({ now: Date.now() }).map(toKept),
  /** Up to 100 events that nobody could work on in 5 attempts. */
  dead: (): Kept[] => dead.all({ now: Date.now() }).map(toKept),
  /**
   * Counts an attempt, before it is made: one that ends the process counts too. For so many
   * milliseconds, an hour at most, nobody else may begin one. False where somebody else has, or has
   * done the work: leave the event to them.
   */
  begin(id: string, lease: number): boolean {
    if (lease > HOUR_MS) throw new RangeError(`a lease has at most ${HOUR_MS} ms, got ${lease}`)
    const now = Date.now()
    return begin.run({ id, now, until: now + lease }).changes === 1
  },
  /** Marks an event as worked on. Its id stays, to recognise what is delivered late. */
  done(id: string): void {
    finish.run(id)
  },
  /** Lets a dead event wait again. */
  revive(id: string): void {
    revive.run(id)
  },
}

const toKept = ({ id, body }: Record<string, unknown>): Kept => ({
  id: String(id),
  body: String(body),
})
