import { DatabaseSync } from 'node:sqlite'
import type { WebhookEvent } from '@partner-payments/webhooks'

const database = new DatabaseSync(process.env.INBOX ?? 'inbox.db')
database.exec(`CREATE TABLE IF NOT EXISTS inbox
  (id TEXT PRIMARY KEY, event TEXT NOT NULL, attempts INTEGER DEFAULT 0, done INTEGER DEFAULT 0)`)

const insert = database.prepare('INSERT INTO inbox (id, event) VALUES (?, ?) ON CONFLICT DO NOTHING')
const live = database.prepare('SELECT * FROM inbox WHERE NOT done AND attempts < 5 ORDER BY rowid LIMIT 100')
const dead = database.prepare('SELECT * FROM inbox WHERE NOT done AND attempts >= 5 ORDER BY rowid LIMIT 100')
const begin = database.prepare('UPDATE inbox SET attempts = attempts + 1 WHERE id = ?')
const finish = database.prepare('UPDATE inbox SET done = 1 WHERE id = ?')
const revive = database.prepare('UPDATE inbox SET attempts = 0 WHERE id = ?')

type Kept = { id: string; event: WebhookEvent }

/** Events on their way from the receiver to whoever works on them: each is kept once, and outlives a crash. */
export const inbox = {
  /** Keeps an event, unless it was delivered before. */
  add(id: string, event: WebhookEvent): void {
    insert.run(id, JSON.stringify(event))
  },
  /** Up to 100 events to work on, the first to come first. */
  waiting: (): Kept[] => live.all().map(parse),
  /** Up to 100 events that nobody could work on in 5 attempts. */
  dead: (): Kept[] => dead.all().map(parse),
  /** Counts an attempt, before it is made: one that ends the process counts too. */
  begin(id: string): void {
    begin.run(id)
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

function parse({ id, event }: Record<string, unknown>): Kept {
  return { id: String(id), event: JSON.parse(String(event)) }
}
