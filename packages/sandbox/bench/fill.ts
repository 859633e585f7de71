import { laneOf } from '../src/deliveries/flights.ts'
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

const [{ id: PARTNER, account_id: SHOP }] = PARTNERS
const CUSTOMER = USERS[0].customer.account_id
const HELD = `${CUSTOMER}/held`
const DAY = 86_400_000
/** Maximum number of rows per statement. */
const CHUNK = 50_000
/**
 * Row ids are strings of ten digits, ordered and evenly spread, so that new UUIDs sort among them.
 */
const SPREAD = 10 ** 10

/**
 * Fills a freshly seeded state by SQL with rows as that many requests create them. The balances
 * stay as they are.
 *
 * @param at milliseconds since 1970
 */
export async function fill(store: Store, size: Size, at: number): Promise<void> {
  const { codes, transfers, accounts, deliveries, url } = size
  const paid = Math.min(100, codes)
  const half = Math.min(Math.floor(deliveries / 2), transfers)
  const lane = laneOf({ partner_id: PARTNER, url })
  for (const id of ['waiting-now', 'waiting-later'])
    await store.write((queries) => queries.run(WEBHOOK, [id, PARTNER, url, lane, at, at]))
  const kinds: readonly [sql: string, count: number, of: number, ...values: Value[]][] = [
    [account(`${text('a')} || '/held'`, 'held', 'NULL'), accounts, accounts],
    [account(text('a'), 'own', `${text('a')} || '/held'`), accounts, accounts],
    [KEYS, accounts, accounts],
    [TRANSFERS, transfers, transfers, PARTNER, CUSTOMER, SHOP, at, at],
    [entries('t', 'hold', CUSTOMER, HELD), transfers, transfers],
    [entries('t', 'settle', HELD, SHOP), transfers, transfers],
    [events('t', 'transfer.settled'), transfers, transfers, PARTNER, at],
    [CODES, codes, codes, PARTNER, SHOP, at, at],
    [PAID, paid, codes],
    [entries('q', 'incoming', OUTSIDE, SHOP), paid, codes],
    [events('q', 'qrcode.paid'), paid, codes, PARTNER, at],
    [DELIVERIES, half, transfers, 'waiting-now', lane, at],
    [DELIVERIES, half, transfers, 'waiting-later', lane, at + DAY],
  ]
  for (const [sql, count, of, ...values] of kinds) {
    const distance = Math.floor((SPREAD - 1) / Math.max(of, 1))
    for (let start = 0; start < count; start += CHUNK) {
      const bounds = [start, Math.min(start + CHUNK, count), distance]
      await store.write((queries) => queries.run(sql, [...bounds, ...values]))
    }
  }
}

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
const KEYS = `
  INSERT INTO keys (dict_key, id, kind, account_id)
  ${NUMBERS} SELECT ${text('k')} || '@example.com', ${text('k')}, 'EMAIL', ${text('a')} FROM numbers`
const TRANSFERS = `
  INSERT INTO transfers (id, partner_id, account_id, payee_id, initiation, amount, description, end_to_end_id,
    initiation_type, tx_id, status, outcome, created_at, settled_at)
  ${NUMBERS} SELECT ${text('t')}, ?, ?, ?, ${text('n')}, 1, '', ${text('e')}, 'DICT', '', 'settled', '',
    CAST(? AS BIGINT), CAST(? AS BIGINT) FROM numbers`
/** Moves one centavo for each row. */
const entries = (kind: string, step: string, from: string, to: string) => `
  INSERT INTO entries (posting_id, step, account_id, amount, posted_at)
  ${NUMBERS} SELECT ${text(kind)}, '${step}', side.id, side.amount, 0 FROM numbers
  CROSS JOIN (SELECT '${from}' AS id, -1 AS amount UNION ALL SELECT '${to}', 1) side`
const events = (kind: string, type: string) => `
  INSERT INTO events (id, partner_id, type, record_id, body, created_at)
  ${NUMBERS} SELECT 'msg_' || ${text(kind)}, ?, '${type}', ${text(kind)}, '{}', CAST(? AS BIGINT) FROM numbers`
const CODES = `
  INSERT INTO qrcodes (id, partner_id, account_id, kind, tx_id, status, dict_key, emv, url, qrcode_image, charge,
    payer_tax_id, created_at, updated_at)
  ${NUMBERS} SELECT ${text('q')}, ?, ?, 'Immediate', ${text('x')}, 'ATIVA', '12ABC34501DE35', '', ${text('u')}, '',
    '{"amount":{"original":"0.01"},"calendar":{"expiration":315360000},"message":"","additional_infos":[]}',
    CASE WHEN i <= 100 THEN '${RARE_TAX_ID}' ELSE '12345678909' END, CAST(? AS BIGINT), CAST(? AS BIGINT)
  FROM numbers`
const PAID = `UPDATE qrcodes SET status = 'CONCLUIDA' WHERE id IN (${NUMBERS} SELECT ${text('q')} FROM numbers)`
const WEBHOOK = `
  INSERT INTO webhooks (id, partner_id, url, lane, type, status, secret, created_at, updated_at)
  VALUES (?, ?, ?, ?, 'transfer', 'active', 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=', ?, ?)`
const DELIVERIES = `
  INSERT INTO deliveries (event_id, webhook_id, lane, status, due_at)
  ${NUMBERS} SELECT 'msg_' || ${text('t')}, ?, ?, 'pending', CAST(? AS BIGINT) FROM numbers`
