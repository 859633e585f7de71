import { DatabaseSync } from 'node:sqlite'
import type { WebhookEvent } from '@partner-payments/webhooks'

const database = new DatabaseSync(process.env.INBOX ?? 'inbox.db')
database.exec(
  'CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, event TEXT NOT NULL, done INTEGER DEFAULT 0)',
)

const insert = database.prepare('INSERT INTO inbox (id, event) VALUES (?, ?) ON CONFLICT DO NOTHING')
const select = database.prepare('SELECT id, event FROM inbox WHERE NOT done ORDER BY rowid LIMIT 100')
const update = database.prepare('UPDATE inbox SET done = 1 WHERE id = ?')

/** Events on their way from the receiver to whoever works on them: each is kept once, and outlives a crash. */
export const inbox = {
  /** Keeps an event, unless it was delivered before. */
  add(id: string, event: WebhookEvent): void {
    insert.run(id, JSON.stringify(event))
  },
  /** Up to 100 events that nobody has worked on. */
  waiting(): { id: string; event: WebhookEvent }[] {
    return select.all().map(({ id, event }) => ({ id: String(id), event: JSON.parse(String(event)) }))
  },
  /** Marks an event as worked on. Its id stays, to recognise what is delivered late. */
  done(id: string): void {
    update.run(id)
  },
}
