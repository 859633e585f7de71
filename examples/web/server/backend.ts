import { EventEmitter } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import type { Payments } from '@partner-payments/client'

/** What the parts of the server share. */
export interface Backend extends Service {
  readonly database: DatabaseSync
  /** Emits `change` after each change. */
  readonly feed: EventEmitter
}

/** The service, and whom this server acts for there. */
export interface Service {
  /** Acts for one customer. Your application takes the customer from its own sign-in. */
  readonly client: Payments
  /** The key of the customer that receives what a QR code asks for. */
  readonly ownKey: string
  /** The account of the customer. The webhook reports those of all customers. */
  readonly ownAccount: string
  /** One, or two while one replaces the other. */
  readonly webhookSecrets: readonly string[]
}

/** Opens the database. What was `sending` when the last process ended has an unknown outcome. */
export function createBackend(service: Service, file: string): Backend {
  const database = new DatabaseSync(file, { timeout: 5000 })
  database.exec(SCHEMA)
  database.exec(`UPDATE payments SET state = 'unknown' WHERE state = 'sending'`)
  return { ...service, database, feed: new EventEmitter() }
}

const SCHEMA = `
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS payments (
    id TEXT PRIMARY KEY,
    direction TEXT NOT NULL,
    state TEXT NOT NULL,
    at INTEGER NOT NULL,
    name TEXT NOT NULL,
    document TEXT,
    amount TEXT,
    reason TEXT,
    target TEXT,
    request TEXT,
    transfer_id TEXT UNIQUE,
    end_to_end_id TEXT,
    request_id TEXT,
    emv TEXT,
    image TEXT,
    receipt TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS payments_by_target ON payments (target, state);
  CREATE UNIQUE INDEX IF NOT EXISTS credits ON payments (end_to_end_id) WHERE direction = 'in';
  CREATE TABLE IF NOT EXISTS deliveries (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    at INTEGER NOT NULL,
    times INTEGER NOT NULL DEFAULT 1,
    result TEXT NOT NULL DEFAULT 'new'
  ) STRICT;`
