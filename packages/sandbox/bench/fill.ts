import { OUTSIDE, PARTNERS, USERS } from '../src/seed/data.ts'
import type { Store, Value } from '../src/store/store.ts'

/** How many rows {@link fill} writes. */
export interface Size {
  /** Settled transfers, each with its entries and event. */
  readonly transfers: number
  /** Dynamic QR codes, of which a hundred are paid. */
  readonly codes: number
  /** Customer accounts, each with a key. */
  readonly accounts: number
  /** Pending deliveries, half of them due now and half later. */
  readonly deliveries: number
  /** The URL of the due deliveries. */
  readonly url: string
}

/** The payer's tax id in a hundred of the codes. */
export const RARE_TAX_ID = '52998224725'

/** Maximum number of rows per statement. */
const CHUNK = 50_000
const [{ id: PARTNER, account_id: SHOP }] = PARTNERS
const CUSTOMER = USERS[0].customer.account_id
const HELD = `${CUSTOMER}/held`

/**
 * Fills a freshly seeded state by SQL, as if that many requests had created it: the ledger adds up.
 *
 * @param at milliseconds since 1970
 */
export async function fill(store: Store, size: Size, at: number): Promise<void> {
  const { codes, transfers, accounts } = size
  const paid = { count: Math.min(100, codes), of: codes }
  const settled = { count: transfers, of: transfers }
  for (const sql of ACCOUNTS) await write(store, sql, { count: accounts, of: accounts })
  await write(store, TRANSFERS, settled, [PARTNER, CUSTOMER, SHOP, at, at])
  await move(store, 't', settled, { step: 'hold', from: CUSTOMER, to: HELD })
  await move(store, 't', settled, { step: 'settle', from: HELD, to: SHOP })
  await write(store, EVENTS, settled, [PARTNER, at])
  await write(store, CODES, { count: codes, of: codes }, [PARTNER, SHOP, at, at])
  await write(store, PAID, paid)
  await move(store, 'q', paid, { step: 'incoming', from: OUTSIDE, to: SHOP })
  await write(store, PAID_EVENTS, paid, [PARTNER, at])
  await balance(store, transfers, paid.count)
  await wait(store, size, at)
}

/** A kind of rows, and how many. */
interface Rows {
  readonly count: number
  readonly of: number
}

/** Row ids are strings of ten digits, ordered and evenly spread, so that new UUIDs sort among them. */
const SPREAD = 10 ** 10

async function write(store: Store, sql: string, { count, of }: Rows, values: readonly Value[] = []) {
  const distance = Math.floor((SPREAD - 1) / Math.max(of, 1))
  for (let start = 0; start < count; start += CHUNK) {
    const bounds = [start, Math.min(start + CHUNK, count), distance]
    await store.write((queries) => queries.run(sql, [...bounds, ...values]))
  }
}

interface Step {
  readonly step: string
  readonly from: string
  readonly to: string
}

/** Moves one centavo for each row. */
async function move(store: Store, kind: string, rows: Rows, { step, from, to }: Step): Promise<void> {
  await write(store, entries(kind), rows, [step, from, -1])
  await write(store, entries(kind), rows, [step, to, 1])
}

/** Deposits what the customer paid. */
function balance(store: Store, transfers: number, paid: number): Promise<void> {
  return store.write(async (queries) => {
    const add = (id: string, by: number) =>
      queries.run('UPDATE accounts SET balance = balance + ? WHERE id = ?', [by, id])
    for (const [account, amount] of [
      [OUTSIDE, -transfers - 1],
      [CUSTOMER, transfers + 1],
    ] as const)
      await queries.run(OPENING, [account, amount])
    await add(OUTSIDE, -transfers - 1 - paid)
    await add(CUSTOMER, 1)
    await add(SHOP, transfers + paid)
  })
}

async function wait(store: Store, { deliveries, transfers, url }: Size, at: number): Promise<void> {
  const half = { count: Math.min(Math.floor(deliveries / 2), transfers), of: transfers }
  for (const [id, due] of [
    ['waiting-now', at],
    ['waiting-later', at + DAY],
  ] as const) {
    await store.write((queries) => queries.run(WEBHOOK, [id, PARTNER, url, at, at]))
    await write(store, DELIVERIES, half, [id, due])
  }
}

const DAY = 86_400_000

/** Numbers above the first value up to the second, and the distance between their ids. */
const NUMBERS = `
  WITH RECURSIVE numbers (i, high, distance) AS (
    SELECT CAST(? AS BIGINT) + 1, CAST(? AS BIGINT), CAST(? AS BIGINT)
    UNION ALL SELECT i + 1, high, distance FROM numbers WHERE i < high
  )`

/** An SQL expression for the id of a row. */
function text(kind: string): string {
  return `substr(CAST(${SPREAD} + i * distance AS TEXT), 2) || '-${kind}'`
}

const account = (id: string, standing: string, held: string) => `
  INSERT INTO accounts (id, standing, held_id, name, trade_name, tax_id, owner_type, ispb, branch, number, type)
  ${NUMBERS} SELECT ${id}, '${standing}', ${held}, 'Fulano de Tal', '', '12345678909', 'NATURAL_PERSON', '99999010',
    '0001', CAST(8000000 + i AS TEXT), 'TRAN' FROM numbers`
const ACCOUNTS = [
  account(`${text('a')} || '/held'`, 'held', 'NULL'),
  account(text('a'), 'own', `${text('a')} || '/held'`),
  `INSERT INTO keys (dict_key, id, kind, account_id)
  ${NUMBERS} SELECT ${text('k')} || '@example.com', ${text('k')}, 'EMAIL', ${text('a')} FROM numbers`,
]
const TRANSFERS = `
  INSERT INTO transfers (id, partner_id, account_id, payee_id, initiation, amount, description, end_to_end_id,
    initiation_type, tx_id, status, outcome, created_at, settled_at)
  ${NUMBERS} SELECT ${text('t')}, ?, ?, ?, ${text('n')}, 1, '', ${text('e')}, 'DICT', '', 'settled', '',
    CAST(? AS BIGINT), CAST(? AS BIGINT) FROM numbers`
const entries = (kind: string) => `
  INSERT INTO entries (posting_id, step, account_id, amount, posted_at)
  ${NUMBERS} SELECT ${text(kind)}, ?, ?, CAST(? AS BIGINT), 0 FROM numbers`
const OPENING = `
  INSERT INTO entries (posting_id, step, account_id, amount, posted_at) VALUES ('filled', 'incoming', ?, ?, 0)`
const events = (kind: string, type: string) => `
  INSERT INTO events (id, partner_id, type, record_id, body, created_at)
  ${NUMBERS} SELECT 'msg_' || ${text(kind)}, ?, '${type}', ${text(kind)}, '{}', CAST(? AS BIGINT) FROM numbers`
const EVENTS = events('t', 'transfer.settled')
const PAID_EVENTS = events('q', 'qrcode.paid')
const CODES = `
  INSERT INTO qrcodes (id, partner_id, account_id, kind, tx_id, status, dict_key, emv, url, qrcode_image, charge,
    payer_tax_id, created_at, updated_at)
  ${NUMBERS} SELECT ${text('q')}, ?, ?, 'Immediate', ${text('x')}, 'ATIVA', '12ABC34501DE35', '', ${text('u')}, '',
    '{"amount":{"original":"0.01"},"calendar":{"expiration":315360000},"message":"","additional_infos":[]}',
    CASE WHEN i <= 100 THEN '${RARE_TAX_ID}' ELSE '12345678909' END, CAST(? AS BIGINT), CAST(? AS BIGINT)
  FROM numbers`
const PAID = `UPDATE qrcodes SET status = 'CONCLUIDA' WHERE id IN (${NUMBERS} SELECT ${text('q')} FROM numbers)`
const WEBHOOK = `
  INSERT INTO webhooks (id, partner_id, url, type, status, secret, created_at, updated_at)
  VALUES (?, ?, ?, 'transfer', 'active', 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=', ?, ?)`
const DELIVERIES = `
  INSERT INTO deliveries (event_id, webhook_id, status, due_at)
  ${NUMBERS} SELECT 'msg_' || ${text('t')}, ?, 'pending', CAST(? AS BIGINT) FROM numbers`
