import type { Clock } from '../clock.ts'
import type { Context } from '../context.ts'
import type { DocsPages } from '../docs-pages.ts'
import type { Account } from '../ledger/accounts.ts'
import { formatCentavos } from '../money/centavos.ts'
import { type ChargeRow, parsePayment } from '../qrcodes/record.ts'
import type { Queries } from '../store/store.ts'
import { timestamp, timestampOrNull } from '../time.ts'
import type { TransferRow as StoredTransfer } from '../transfers/record.ts'
import { describeRejection } from '../transfers/rejections.ts'
import type { WebhookRow as StoredWebhook } from '../webhooks.ts'
import { describeClock } from './clock.ts'
import { listDeliveries } from './events.ts'
import type { Faults } from './faults/faults.ts'
import { masked } from './mask.ts'
import type { RecordedRequest, Recorder } from './recorder.ts'

export type State = Awaited<ReturnType<typeof readState>>

export interface StateSources {
  readonly clock: Clock
  readonly context: Context
  readonly recorder: Recorder
  readonly faults: Faults
  readonly storage: 'memory' | 'file' | 'postgres'
  /** Null if the sandbox does not know its docs. */
  readonly docs: DocsPages | null
}

/** Everything the page shows, in one response: the newest items of each kind, without secrets. */
export function readState(sources: StateSources) {
  const { clock, context, recorder, faults, storage, docs } = sources
  return context.store.read(async (queries) => ({
    clock: describeClock(clock),
    storage,
    docs,
    faults: faults.list(),
    accounts: await listAccounts(queries),
    transfers: await listTransfers(queries),
    incoming: await listIncoming(queries),
    qrcodes: await listQrCodes(queries),
    webhooks: await listWebhooks(queries),
    requests: describeRequests(recorder.last()),
  }))
}

type AccountRow = Omit<Account, 'standing' | 'held_id' | 'owner_type'> & {
  readonly held: bigint | null
}

/** Maximum number of accounts shown. The seed data has four. */
const MAX_ACCOUNTS = 50
/** Maximum number of keys shown of all accounts together. */
const MAX_KEYS = 500

/**
 * The accounts of this sandbox for the page, each with its balance, the amount on hold and its Pix
 * keys. The accounts of partners come first.
 */
async function listAccounts(queries: Queries) {
  const partners = await queries.all<AccountRow>(ACCOUNTS_OF_PARTNERS)
  const others = await queries.all<AccountRow>(OTHER_ACCOUNTS)
  const rows = [...partners, ...others].slice(0, MAX_ACCOUNTS)
  const ids = rows.map(({ id }) => id)
  const keys = await listKeys(queries, ids)
  return rows.map(({ balance, held, ...account }) => {
    const keysOfAccount = keys.filter(({ account_id }) => account_id === account.id)
    return {
      ...account,
      balance: formatCentavos(balance),
      held: formatCentavos(held ?? 0n),
      keys: keysOfAccount.map(({ dict_key }) => dict_key),
    }
  })
}

/** The columns of an account `a`, with its hold account `h`. */
const ACCOUNT_COLUMNS = `
  a.id, a.name, a.trade_name, a.tax_id, a.ispb, a.branch, a.number, a.type, a.balance,
  h.balance AS held`
const ACCOUNTS_OF_PARTNERS = `
  SELECT ${ACCOUNT_COLUMNS}
  FROM partners p
  JOIN accounts a ON a.id = p.account_id
  LEFT JOIN accounts h ON h.id = a.held_id
  ORDER BY a.number LIMIT ${MAX_ACCOUNTS}`
const OTHER_ACCOUNTS = `
  SELECT ${ACCOUNT_COLUMNS}
  FROM accounts a
  LEFT JOIN accounts h ON h.id = a.held_id
  WHERE a.standing = 'own' AND NOT EXISTS (SELECT 1 FROM partners p WHERE p.account_id = a.id)
  ORDER BY a.number LIMIT ${MAX_ACCOUNTS}`

interface KeyRow {
  readonly account_id: string
  readonly dict_key: string
}

/** The Pix keys of some accounts, up to a maximum in all. */
function listKeys(queries: Queries, ids: readonly string[]): Promise<KeyRow[]> {
  const places = ids.map(() => '?').join(', ')
  const sql = `
    SELECT account_id, dict_key FROM keys WHERE account_id IN (${places})
    ORDER BY dict_key LIMIT ${MAX_KEYS}`
  return queries.all<KeyRow>(sql, ids)
}

type TransferRow = Pick<
  StoredTransfer,
  | 'id'
  | 'status'
  | 'amount'
  | 'outcome'
  | 'end_to_end_id'
  | 'initiation_type'
  | 'tx_id'
  | 'settled_at'
> & {
  readonly payer: string
  readonly payee: string
  readonly payee_standing: Account['standing']
  readonly created_at: bigint
}

/** The last transfers, newest first. `payer` and `payee` are names. */
async function listTransfers(queries: Queries) {
  const rows = await queries.all<TransferRow>(LAST_TRANSFERS)
  return rows.map(({ amount, outcome, created_at, settled_at, ...transfer }) => ({
    ...transfer,
    amount: formatCentavos(amount),
    created_at: timestamp(created_at),
    settled_at: timestampOrNull(settled_at),
    // A pending transfer does not reveal its outcome.
    rejection_message: transfer.status === 'rejected' ? describeRejection(outcome) : '',
  }))
}

const LAST_TRANSFERS = `
  SELECT t.id, t.status, t.amount, t.outcome, t.end_to_end_id, t.initiation_type, t.tx_id,
    payer.name AS payer, payee.name AS payee, payee.standing AS payee_standing,
    t.created_at, t.settled_at
  FROM transfers t
  JOIN accounts payer ON payer.id = t.account_id
  JOIN accounts payee ON payee.id = t.payee_id
  ORDER BY t.position DESC LIMIT 50`

interface IncomingRow {
  readonly id: string
  readonly amount: bigint
  readonly end_to_end_id: string
  readonly payer: string
  readonly payee: string
  readonly paid_at: bigint
}

/** The last payments from other institutions, newest first. `payer` and `payee` are names. */
async function listIncoming(queries: Queries) {
  const rows = await queries.all<IncomingRow>(LAST_INCOMING)
  return rows.map(({ amount, paid_at, ...payment }) => ({
    ...payment,
    amount: formatCentavos(amount),
    paid_at: timestamp(paid_at),
  }))
}

/** Joins would make PostgreSQL read all accounts while there are few payments. */
const LAST_INCOMING = `
  SELECT id, amount, end_to_end_id, paid_at,
    (SELECT name FROM accounts WHERE id = payer_id) AS payer,
    (SELECT name FROM accounts WHERE id = account_id) AS payee
  FROM incoming ORDER BY position DESC LIMIT 50`

type QrCodeRow = { readonly kind: string } & Pick<
  ChargeRow,
  | 'id'
  | 'status'
  | 'tx_id'
  | 'dict_key'
  | 'emv'
  | 'qrcode_image'
  | 'charge'
  | 'created_at'
  | 'payment'
  | 'allow_value_change'
>

/**
 * The last QR codes of all three kinds, newest first. `amount` is the original amount, without
 * fines or other adjustments; `payment` has what was paid, and is null until a charge is paid.
 */
async function listQrCodes(queries: Queries) {
  const rows = await queries.all<QrCodeRow>(LAST_QR_CODES)
  return rows.map(({ charge, created_at, allow_value_change, ...qrcode }) => ({
    ...qrcode,
    amount: readAmount(charge),
    created_at: timestamp(created_at),
    payment: parsePayment(qrcode),
    allow_value_change: allow_value_change === 1n,
  }))
}

/** The amount of a dynamic charge is nested one level deeper than that of a static one. */
function readAmount(charge: string): string {
  const { amount }: { amount: string | { original: string } } = JSON.parse(charge)
  return typeof amount === 'string' ? amount : amount.original
}

const LAST_QR_CODES = `
  SELECT id, kind, status, tx_id, dict_key, emv, qrcode_image, charge, created_at, payment,
    allow_value_change
  FROM qrcodes ORDER BY position DESC LIMIT 50`

type WebhookRow = Omit<StoredWebhook, 'secret' | 'old_secret' | 'old_secret_until' | 'updated_at'>

/**
 * The last webhooks, also deleted ones, each with its last deliveries and attempts, without
 * secrets.
 */
async function listWebhooks(queries: Queries) {
  const webhooks = await queries.all<WebhookRow>(LAST_WEBHOOKS)
  const ids = webhooks.map(({ id }) => id)
  const deliveries = await listDeliveries(queries, 'webhooks', ids)
  const byWebhook = Map.groupBy(deliveries, ({ webhook_id }) => webhook_id)
  return webhooks.map(({ created_at, deleted_at, ...webhook }) => ({
    ...webhook,
    url: masked(webhook.url),
    created_at: timestamp(created_at),
    deleted_at: timestampOrNull(deleted_at),
    deliveries: byWebhook.get(webhook.id) ?? [],
  }))
}

const LAST_WEBHOOKS = `
  SELECT id, partner_id, url, type, status, created_at, deleted_at
  FROM webhooks ORDER BY position DESC LIMIT 50`

/** Maximum bytes of all findings together, because the page reads them again after every change. */
const FINDINGS_BYTES = 128 * 1024

/**
 * The requests for the page, which has room for so many bytes of findings: older requests keep
 * their number of findings, but not the findings themselves.
 */
function describeRequests(requests: readonly RecordedRequest[]) {
  let bytesLeft = FINDINGS_BYTES
  return requests.map((request) => {
    bytesLeft -= Buffer.byteLength(JSON.stringify(request.findings))
    const fits = bytesLeft >= 0
    return fits ? request : { ...request, findings: [] }
  })
}
