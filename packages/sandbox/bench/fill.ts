import { nameLane } from '../src/deliveries/in-progress.ts'
import { OUTSIDE, PARTNERS, USERS } from '../src/seed/data.ts'
import { bind, type Store, type Value } from '../src/store/store.ts'

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
const DAY_MS = 86_400_000
/** Maximum number of rows per statement. */
const MAX_ROWS = 50_000
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
  const { url } = size
  const lane = nameLane({ partner_id: PARTNER, url })
  for (const id of ['waiting-now', 'waiting-later']) {
    const webhook = { id, partner_id: PARTNER, url, lane, at }
    await store.write((queries) => queries.run(...bind(WEBHOOK, webhook)))
  }
  for (const step of stepsOf(size, lane, at)) await fillStep(store, step)
}

/** One kind of rows to write. */
interface Step {
  readonly sql: string
  /** How many rows. */
  readonly count: number
  /** How many rows there are of the kind that the ids refer to. */
  readonly ids: number
  /** The named parameters of the statement, besides those of {@link NUMBERS}. */
  readonly values?: Readonly<Record<string, Value>>
}

function stepsOf(size: Size, lane: string, at: number): Step[] {
  const { codes, transfers, accounts, deliveries } = size
  const paid = Math.min(100, codes)
  const half = Math.min(Math.floor(deliveries / 2), transfers)
  const partner = PARTNER
  const heldId = `${text('a')} || '/held'`
  return [
    { sql: account(heldId, 'held', 'NULL'), count: accounts, ids: accounts },
    { sql: account(text('a'), 'own', heldId), count: accounts, ids: accounts },
    { sql: KEYS, count: accounts, ids: accounts },
    {
      sql: TRANSFERS,
      count: transfers,
      ids: transfers,
      values: { partner, payer: CUSTOMER, payee: SHOP, at },
    },
    { sql: entries('t', 'hold', CUSTOMER, HELD), count: transfers, ids: transfers },
    { sql: entries('t', 'settle', HELD, SHOP), count: transfers, ids: transfers },
    {
      sql: events('t', 'transfer.settled'),
      count: transfers,
      ids: transfers,
      values: { partner, at },
    },
    {
      sql: CODES,
      count: codes,
      ids: codes,
      values: { partner, receiver: SHOP, charge: CHARGE, at },
    },
    { sql: PAID, count: paid, ids: codes, values: { payment: PAYMENT } },
    { sql: entries('q', 'incoming', OUTSIDE, SHOP), count: paid, ids: codes },
    { sql: events('q', 'qrcode.paid'), count: paid, ids: codes, values: { partner, at } },
    {
      sql: DELIVERIES,
      count: half,
      ids: transfers,
      values: { webhook: 'waiting-now', lane, due_at: at },
    },
    {
      sql: DELIVERIES,
      count: half,
      ids: transfers,
      values: { webhook: 'waiting-later', lane, due_at: at + DAY_MS },
    },
  ]
}

async function fillStep(store: Store, { sql, count, ids, values = {} }: Step): Promise<void> {
  const distance = Math.floor((SPREAD - 1) / Math.max(ids, 1))
  for (let low = 0; low < count; low += MAX_ROWS) {
    const high = Math.min(low + MAX_ROWS, count)
    const statement = bind(sql, { low, high, distance, ...values })
    await store.write((queries) => queries.run(...statement))
  }
}

/** Numbers above `:low` up to `:high`, and the distance between their ids. */
const NUMBERS = `
  WITH RECURSIVE numbers (i, high, distance) AS (
    SELECT CAST(:low AS BIGINT) + 1, CAST(:high AS BIGINT), CAST(:distance AS BIGINT)
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
  ${NUMBERS} SELECT ${text('t')}, :partner, :payer, :payee, ${text('n')}, 1, '', ${text('e')},
    'DICT', '', 'settled', '', CAST(:at AS BIGINT), CAST(:at AS BIGINT)
  FROM numbers`
/** Moves one centavo for each row. */
const entries = (kind: string, step: string, from: string, to: string) => `
  INSERT INTO entries (posting_id, step, account_id, amount, posted_at)
  ${NUMBERS} SELECT ${text(kind)}, '${step}', side.id, side.amount, 0 FROM numbers
  CROSS JOIN (SELECT '${from}' AS id, -1 AS amount UNION ALL SELECT '${to}', 1) side`
const events = (kind: string, type: string) => `
  INSERT INTO events (id, partner_id, type, record_id, body, created_at)
  ${NUMBERS} SELECT 'msg_' || ${text(kind)}, :partner, '${type}', ${text(kind)}, '{}',
    CAST(:at AS BIGINT)
  FROM numbers`
const CHARGE = JSON.stringify({
  amount: { original: '0.01' },
  calendar: { expiration: 10 * 365 * 86_400 },
  message: '',
  additional_infos: [],
})
const CODES = `
  INSERT INTO qrcodes (id, partner_id, account_id, kind, tx_id, status, dict_key, emv, url, qrcode_image, charge,
    payer_tax_id, created_at, updated_at)
  ${NUMBERS} SELECT ${text('q')}, :partner, :receiver, 'Immediate', ${text('x')}, 'ATIVA',
    '12ABC34501DE35', '', ${text('u')}, '', :charge,
    CASE WHEN i <= 100 THEN '${RARE_TAX_ID}' ELSE '12345678909' END,
    CAST(:at AS BIGINT), CAST(:at AS BIGINT)
  FROM numbers`
const PAYMENT = JSON.stringify({
  amount: '0.01',
  end_to_end_id: 'E99999029202611210000aaaaaaaaaaa',
  paid_at: '2026-11-21T00:00:00.000Z',
  payer: { name: 'Beltrana de Tal', tax_id: '11144477735' },
})
const PAID = `
  UPDATE qrcodes SET status = 'CONCLUIDA', payment = :payment
  WHERE id IN (${NUMBERS} SELECT ${text('q')} FROM numbers)`
const WEBHOOK = `
  INSERT INTO webhooks (id, partner_id, url, lane, type, status, secret, created_at, updated_at)
  VALUES (:id, :partner_id, :url, :lane, 'transfer', 'active',
    'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=', :at, :at)`
const DELIVERIES = `
  INSERT INTO deliveries (event_id, webhook_id, lane, status, due_at)
  ${NUMBERS} SELECT 'msg_' || ${text('t')}, :webhook, :lane, 'pending', CAST(:due_at AS BIGINT)
  FROM numbers`
