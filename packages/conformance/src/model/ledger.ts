import { fieldsOf, stringAt, valueAt } from '../contract/json.ts'
import type { ShownBalances } from '../history.ts'
import { Bounded } from './bounded.ts'
import type { Exchange } from './exchange.ts'
import { type Identity, nameOf } from './identity.ts'

/** What the history has shown of accounts: whose they are, and what they hold. */
export interface Ledger {
  /** The institution and the number of the account that a key belongs to, as a check or a look-up showed them. */
  accountOfKey(key: string): string | undefined
  /** The same for the account that an identity creates QR codes for. */
  accountOf(identity: Identity): string | undefined
  /** The `account_id` that the last transfer of an identity showed. */
  payerOf(identity: Identity): string | undefined
  /** What the first transfer from an account showed of it, by its `account_id`. */
  payer(accountId: string): Payer | undefined
  /** Whether a transfer has shown an `end_to_end_id`. */
  isEndToEndId(id: string): boolean
  /** Whether an identity has created a QR code with a key. */
  hasKey(identity: Identity, key: string): boolean
  /** The balances at the last look at which no transfer was pending. */
  readonly atRest: ShownBalances | undefined
  /** The transfers that were sent since then. */
  readonly since: readonly Exchange[]
  /** Whether a transfer was rejected, as a look showed. */
  isRejected(transfer: Exchange): boolean
  look(balances: ShownBalances): void
  fold(exchange: Exchange): void
  clear(): void
}

export interface Payer {
  /** The name of the identity that sent the transfer. */
  readonly owner: string
  readonly taxId: string | undefined
}

/** Accounts and keys that are remembered, and transfers since the last look. */
const MOST = 5_000
const MOST_SINCE = 50

export function createLedger(): Ledger {
  const keys = new Bounded<string, string>(MOST)
  const receivers = new Bounded<string, string>(MOST)
  const own = new Bounded<string, true>(MOST)
  const payers = new Bounded<string, string>(MOST)
  const owners = new Bounded<string, Payer>(MOST)
  const endToEndIds = new Bounded<string, true>(MOST)
  const rejected = new Bounded<string, true>(MOST)
  let atRest: ShownBalances | undefined
  let since: Exchange[] = []

  function foldKey(key: string | undefined, account: unknown): void {
    const number = accountIn(account)
    if (key !== undefined && number !== undefined) keys.set(key, number)
  }

  return {
    accountOfKey: (key) => keys.get(key),
    accountOf: (identity) =>
      receivers.get(nameOf(identity)) ?? keys.get(receivers.get(keyOf(identity)) ?? ''),
    payerOf: (identity) => payers.get(nameOf(identity)),
    payer: (accountId) => owners.get(accountId),
    isEndToEndId: (id) => endToEndIds.has(id),
    hasKey: (identity, key) => own.has(`${nameOf(identity)} ${key}`),
    get atRest() {
      return atRest
    },
    get since() {
      return since
    },
    isRejected: ({ shown }) => rejected.has(stringAt(shown, '/id') ?? ''),
    look(balances) {
      for (const id of balances.rejected) rejected.set(id, true)
      if (!isAtRest(balances)) return
      atRest = balances
      since = since.filter(({ completeAt }) => completeAt > balances.sentAt)
    },
    fold(exchange) {
      const { operation, sent, shown, by, outcome, records } = exchange
      if (operation?.id === 'createTransfer') since = [...since, exchange].slice(-MOST_SINCE)
      if (outcome !== 'accepted' || !by) return
      if (operation?.id === 'checkKey') foldKey(stringAt(sent, '/dict_key'), shown)
      if (operation?.id === 'checkCode')
        foldKey(stringAt(shown, '/beneficiary/dict_key'), valueAt(shown, '/beneficiary'))
      const key = operation?.id.endsWith('QrCode') ? stringAt(sent, '/dict_key') : undefined
      if (key !== undefined) {
        own.set(`${nameOf(by)} ${key}`, true)
        receivers.set(keyOf(by), key)
      }
      const account = operation?.id === 'createTransfer' ? stringAt(shown, '/data/account_id') : undefined
      if (account !== undefined) {
        payers.set(nameOf(by), account)
        const [taxId, id] = ['/data/payer/tax_id', '/data/end_to_end_id'].map((it) => stringAt(shown, it))
        if (!owners.has(account)) owners.set(account, { owner: nameOf(by), taxId })
        if (id !== undefined) endToEndIds.set(id, true)
      }
      for (const { kind, id, fields } of records) {
        const number = kind.name === 'customer' ? accountIn(fields) : undefined
        if (number !== undefined) receivers.set(nameOf({ partner: by.partner, customer: id }), number)
      }
    },
    clear() {
      for (const it of [keys, receivers, own, payers, owners, endToEndIds, rejected]) it.clear()
      atRest = undefined
      since = []
    },
  }
}

/** Balances are compared only when no amount is set aside. */
export function isAtRest({ accounts }: ShownBalances): boolean {
  return Object.values(accounts).every(({ held }) => /^0(\.0+)?$/.test(held))
}

function keyOf(identity: Identity): string {
  return `key of ${nameOf(identity)}`
}

function accountIn(value: unknown): string | undefined {
  const { ispb, account_number } = fieldsOf(value)
  return typeof ispb === 'string' && typeof account_number === 'string'
    ? `${ispb} ${account_number}`
    : undefined
}
