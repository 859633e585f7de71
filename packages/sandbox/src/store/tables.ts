import { fillPayments } from './paid-before.ts'
import { type Queries, type Store, StoreError } from './store.ts'

/** The version of the tables. */
export const VERSION = 4
/** Deliveries that are due are chosen lane by lane. */
const BY_LANE = `CREATE INDEX deliveries_by_lane ON deliveries (lane, due_at, position) WHERE due_at IS NOT NULL`
/**
 * Payments from other institutions. `id` is that of their posting. `qrcode_id` is null if none of
 * our QR codes was paid.
 */
const INCOMING = `CREATE TABLE incoming (
  position SERIAL PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  qrcode_id TEXT REFERENCES qrcodes (id),
  amount BIGINT NOT NULL CHECK (amount > 0),
  end_to_end_id TEXT NOT NULL UNIQUE,
  payer_id TEXT NOT NULL REFERENCES accounts (id),
  paid_at BIGINT NOT NULL
)`
/** The owner of an account may be a customer. */
const CUSTOMERS_OF_ACCOUNT = 'CREATE INDEX customers_of_account ON customers (account_id)'

/** What brings the tables of an older version to the next one. */
interface Upgrade {
  readonly from: number
  readonly statements: readonly string[]
  /** Writes what no statement can that both backends know. */
  readonly fill?: (queries: Queries) => Promise<void>
}

/** In the order of the versions. 0.1.0 wrote version 2. */
export const UPGRADES: readonly Upgrade[] = [
  {
    from: 2,
    statements: [
      `ALTER TABLE webhooks ADD COLUMN lane TEXT NOT NULL DEFAULT ''`,
      `ALTER TABLE deliveries ADD COLUMN lane TEXT NOT NULL DEFAULT ''`,
      BY_LANE,
    ],
  },
  {
    from: 3,
    statements: [
      'ALTER TABLE qrcodes ADD COLUMN payment TEXT',
      'ALTER TABLE qrcodes ADD COLUMN allow_value_change BIGINT NOT NULL DEFAULT 0',
      'ALTER TABLE transfers ADD COLUMN dict_key TEXT',
      // Those that will still settle. The key of a look-up was not stored.
      `UPDATE transfers SET dict_key = COALESCE(
          (SELECT q.dict_key FROM qrcodes q WHERE q.id = transfers.qrcode_id), '')
        WHERE status = 'pending'`,
      INCOMING,
      CUSTOMERS_OF_ACCOUNT,
    ],
    fill: fillPayments,
  },
]

/**
 * The statements that create the tables. Money is in centavos, times are in milliseconds since
 * 1970, `position` grows with each row.
 */
const STATEMENTS: readonly string[] = [
  `CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
  // own: of a partner or customer; held: its money on hold; outside: at another institution.
  `CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    standing TEXT NOT NULL CHECK (standing IN ('own', 'held', 'outside')),
    held_id TEXT REFERENCES accounts (id),
    name TEXT NOT NULL,
    trade_name TEXT NOT NULL,
    tax_id TEXT NOT NULL,
    owner_type TEXT NOT NULL,
    ispb TEXT NOT NULL,
    branch TEXT NOT NULL,
    number TEXT NOT NULL,
    type TEXT NOT NULL,
    balance BIGINT NOT NULL DEFAULT 0,
    CHECK (standing = 'outside' OR balance >= 0)
  )`,
  `CREATE INDEX accounts_own ON accounts (number) WHERE standing = 'own'`,
  // Deleting an account checks whether another one refers to it.
  `CREATE INDEX accounts_of_held ON accounts (held_id)`,
  `CREATE TABLE partners (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    user_id TEXT NOT NULL,
    client_key TEXT NOT NULL UNIQUE,
    secret_hash TEXT NOT NULL,
    created_at BIGINT NOT NULL
  )`,
  `CREATE INDEX partners_of_account ON partners (account_id)`,
  `CREATE TABLE users (
    id TEXT PRIMARY KEY,
    position BIGINT NOT NULL,
    partner_id TEXT NOT NULL REFERENCES partners (id),
    email TEXT NOT NULL,
    nickname TEXT NOT NULL,
    phone_number TEXT NOT NULL,
    status TEXT NOT NULL,
    tax_id TEXT NOT NULL,
    username TEXT NOT NULL
  )`,
  `CREATE INDEX users_of_partner ON users (partner_id, position)`,
  `CREATE TABLE customers (
    id TEXT PRIMARY KEY,
    position BIGINT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id),
    account_id TEXT NOT NULL REFERENCES accounts (id),
    customer_type TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    referral_code TEXT NOT NULL,
    status TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT
  )`,
  `CREATE INDEX customers_of_user ON customers (user_id, position)`,
  CUSTOMERS_OF_ACCOUNT,
  `CREATE TABLE tokens (
    hash TEXT PRIMARY KEY,
    partner_id TEXT NOT NULL REFERENCES partners (id),
    customer_id TEXT REFERENCES customers (id),
    account_id TEXT NOT NULL REFERENCES accounts (id),
    expires_at BIGINT NOT NULL
  )`,
  `CREATE INDEX tokens_by_expiry ON tokens (expires_at)`,
  `CREATE TABLE keys (
    dict_key TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES accounts (id)
  )`,
  `CREATE INDEX keys_of_account ON keys (account_id)`,
  `CREATE TABLE qrcodes (
    position SERIAL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    partner_id TEXT NOT NULL REFERENCES partners (id),
    account_id TEXT NOT NULL REFERENCES accounts (id),
    kind TEXT NOT NULL CHECK (kind IN ('DueDate', 'Immediate', 'Static')),
    tx_id TEXT NOT NULL,
    status TEXT NOT NULL,
    dict_key TEXT NOT NULL,
    emv TEXT NOT NULL,
    url TEXT UNIQUE,
    qrcode_image TEXT NOT NULL,
    charge TEXT NOT NULL,
    payer_tax_id TEXT NOT NULL,
    transfer_id TEXT,
    revision BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    payment TEXT,
    allow_value_change BIGINT NOT NULL DEFAULT 0,
    UNIQUE (partner_id, tx_id)
  )`,
  // Each list filter has an index in the order of the list. The order is an expression: by
  // `position` alone, PostgreSQL prefers the primary key and reads all the newest rows to find a
  // rare one.
  `CREATE INDEX qrcodes_of_account ON qrcodes (account_id, kind, (position + 0))`,
  `CREATE INDEX qrcodes_by_status ON qrcodes (account_id, kind, status, (position + 0))`,
  `CREATE INDEX qrcodes_by_payer ON qrcodes (account_id, kind, payer_tax_id, (position + 0))`,
  `CREATE INDEX qrcodes_by_payer_and_status ON qrcodes (account_id, kind, payer_tax_id, status, (position + 0))`,
  // outcome: empty if it will settle, else the code of the rejection. dict_key: null if it ended
  // before version 4, and so without an event for its receiver.
  `CREATE TABLE transfers (
    position SERIAL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    partner_id TEXT NOT NULL REFERENCES partners (id),
    account_id TEXT NOT NULL REFERENCES accounts (id),
    payee_id TEXT NOT NULL REFERENCES accounts (id),
    qrcode_id TEXT REFERENCES qrcodes (id),
    initiation TEXT UNIQUE,
    amount BIGINT NOT NULL CHECK (amount > 0),
    description TEXT NOT NULL,
    end_to_end_id TEXT NOT NULL UNIQUE,
    initiation_type TEXT NOT NULL,
    tx_id TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'settled', 'rejected')),
    outcome TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    due_at BIGINT,
    settled_at BIGINT,
    dict_key TEXT
  )`,
  `CREATE INDEX transfers_due ON transfers (due_at, position) WHERE due_at IS NOT NULL`,
  `CREATE INDEX transfers_of_qrcode ON transfers (qrcode_id)`,
  INCOMING,
  // The entries of a posting sum to zero. The balance of an account is the sum of its entries.
  `CREATE TABLE entries (
    posting_id TEXT NOT NULL,
    step TEXT NOT NULL CHECK (step IN ('opening', 'hold', 'settle', 'release', 'incoming')),
    account_id TEXT NOT NULL REFERENCES accounts (id),
    amount BIGINT NOT NULL,
    posted_at BIGINT NOT NULL,
    PRIMARY KEY (posting_id, step, account_id)
  )`,
  `CREATE TABLE webhooks (
    position SERIAL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    partner_id TEXT NOT NULL REFERENCES partners (id),
    url TEXT NOT NULL,
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    secret TEXT NOT NULL,
    old_secret TEXT,
    old_secret_until BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    lane TEXT NOT NULL DEFAULT ''
  )`,
  `CREATE INDEX webhooks_of_partner ON webhooks (partner_id, position) WHERE deleted_at IS NULL`,
  `CREATE TABLE events (
    position SERIAL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    partner_id TEXT NOT NULL REFERENCES partners (id),
    type TEXT NOT NULL,
    record_id TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL
  )`,
  `CREATE INDEX events_of_record ON events (record_id)`,
  // claimed_until: when other instances may take the delivery over. lane: corrected when the
  // delivery is due.
  `CREATE TABLE deliveries (
    position SERIAL PRIMARY KEY,
    event_id TEXT NOT NULL REFERENCES events (id),
    webhook_id TEXT NOT NULL REFERENCES webhooks (id),
    status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'dead', 'dropped')),
    attempts BIGINT NOT NULL DEFAULT 0,
    due_at BIGINT,
    claimed_until BIGINT NOT NULL DEFAULT 0,
    lane TEXT NOT NULL DEFAULT '',
    UNIQUE (event_id, webhook_id)
  )`,
  `CREATE INDEX deliveries_due ON deliveries (webhook_id, due_at, position) WHERE due_at IS NOT NULL`,
  BY_LANE,
  `CREATE INDEX deliveries_claimed ON deliveries (claimed_until) WHERE claimed_until > 0`,
  `CREATE INDEX deliveries_of_webhook ON deliveries (webhook_id, (position + 0))`,
  `CREATE TABLE attempts (
    position SERIAL PRIMARY KEY,
    event_id TEXT NOT NULL,
    webhook_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    ok BIGINT NOT NULL,
    status BIGINT,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    duration_ms BIGINT NOT NULL
  )`,
  `CREATE INDEX attempts_of_delivery ON attempts (webhook_id, event_id, position)`,
]

/** The tables of the state, without `settings`. */
export const TABLES: readonly string[] = listTables(STATEMENTS).filter(
  (name) => name !== 'settings',
)

/** The names of the tables that these statements create. */
function listTables(statements: readonly string[]): string[] {
  const names: string[] = []
  for (const sql of statements) {
    const [, name] = /^CREATE TABLE (\w+)/.exec(sql) ?? []
    if (name !== undefined) names.push(name)
  }
  return names
}

/** An arbitrary number that all instances share. */
const LOCK = 20_661_704

/**
 * Creates the tables of a new state, or upgrades the tables of an older version, in the transaction
 * of `queries`. Other instances wait for it.
 *
 * @throws {StoreError} if a version wrote the state that this one cannot upgrade
 */
export async function createTables(queries: Queries, backend: Store['backend']): Promise<void> {
  if (backend === 'postgres') await queries.get('SELECT pg_advisory_xact_lock(?)', [LOCK])
  await queries.run('CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY)')
  const version = await readVersion(queries)
  if (version === VERSION) return

  for (const { statements, fill } of listUpgrades(version)) {
    for (const sql of statements) await queries.run(inDialect(sql, backend))
    await fill?.(queries)
  }
  await queries.run('INSERT INTO migrations (version) VALUES (?)', [VERSION])
}

/** The version of the state; 0 if it is new. */
async function readVersion(queries: Queries): Promise<number> {
  const sql = 'SELECT max(version) AS version FROM migrations'
  const row = await queries.get<{ version: bigint | null }>(sql)
  return Number(row?.version ?? 0)
}

/**
 * The steps that lead from the version of a state to the current one, in order. Version 0 is a new
 * state, which gets all tables at once.
 *
 * @throws {StoreError} if nothing leads there
 */
function listUpgrades(version: number): readonly Omit<Upgrade, 'from'>[] {
  if (version === 0) return [{ statements: STATEMENTS }]

  const first = UPGRADES.findIndex(({ from }) => from === version)
  if (first !== -1) return UPGRADES.slice(first)

  const isLater = version > VERSION
  const advice = isLater ? 'use a later sandbox' : 'remove it, or use the sandbox that wrote it'
  throw new StoreError(
    `the state is of version ${version}, and this sandbox knows ${VERSION}; ${advice}`,
  )
}

/** The only syntax in which the two backends differ: a number that grows with each row. */
function inDialect(sql: string, backend: Store['backend']): string {
  const serial =
    backend === 'postgres'
      ? 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY'
      : 'INTEGER PRIMARY KEY AUTOINCREMENT'
  return sql.replace('SERIAL PRIMARY KEY', serial)
}
