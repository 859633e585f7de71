import { stringAt, valueAt } from '../contract/json.ts'
import type { ShownBalances } from '../history.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, type Identity, nameOf } from './exchange.ts'

/** Accounts and keys that are remembered, and transfers since the last look. */
const MOST = 5_000
const MOST_SINCE = 50

/** The operations that create a code for a key of their caller. */
const CREATE_CODES: ReadonlySet<string> = new Set([
  'createStaticQrCode',
  'createImmediateQrCode',
  'createDueDateQrCode',
])

/** What the history has shown of accounts: whose they are, and what they hold. */
export class Ledger {
  /** The institution and the number of the account of a key, or of an identity. */
  readonly #accounts = new Bounded<string, string>(MOST)
  /** The key with which an identity last created a QR code. */
  readonly #keys = new Bounded<string, string>(MOST)
  /** The identities that created QR codes with a key, and the customer of an account. */
  readonly #receivers = new Bounded<string, readonly Identity[]>(MOST)
  /** The id of the user with whom a customer of a partner was first shown. */
  readonly #users = new Bounded<string, string>(MOST)
  /** What the last look-up of a key showed. */
  readonly #entries = new Bounded<string, unknown>(MOST)
  /** The `account_id` of the last transfer of an identity. */
  readonly #payers = new Bounded<string, string>(MOST)
  /** The name of the identity that sent the first transfer from an account. */
  readonly #owners = new Bounded<string, string>(MOST)
  /** The keys of identities, and the rejected transfers. */
  readonly #known = new Bounded<string, true>(2 * MOST)

  /** The balances at the last look at which no transfer was pending. */
  atRest: ShownBalances | undefined
  /** The transfers that were sent since then. */
  since: readonly Exchange[] = []
  /** Whether a transfer had not ended at the last look. */
  isPending = false

  /**
   * The institution and the number of the account that a key belongs to, as a check or a look-up
   * showed them.
   */
  accountOfKey(key: string): string | undefined {
    return this.#accounts.get(`key ${key}`)
  }

  /** The same for the account that an identity creates QR codes for. */
  accountOf(identity: Identity): string | undefined {
    const name = nameOf(identity)
    const ownAccount = this.#accounts.get(`of ${name}`)
    return ownAccount ?? this.accountOfKey(this.#keys.get(name) ?? '')
  }

  /** What the directory has of a key, as the last look-up showed it. */
  entryOf(key: string): unknown {
    return this.#entries.get(key)
  }

  /**
   * Whose account a key credits: the only identity that created QR codes with it, or the customer
   * who has its account.
   */
  receiverOf(key: string): Identity | undefined {
    const account = this.accountOfKey(key)
    const ofAccount = account === undefined ? [] : this.#receivers.get(`account ${account}`)
    const [receiver, ...others] = this.#receivers.get(`key ${key}`) ?? ofAccount ?? []
    return others.length === 0 ? receiver : undefined
  }

  /** Whether a QR code was created with a key. */
  hasOwner(key: string): boolean {
    return this.#receivers.get(`key ${key}`) !== undefined
  }

  /** The user with whom a customer was first shown to a partner. */
  userOf(partner: string, customer: string): string | undefined {
    return this.#users.get(`${partner} ${customer}`)
  }

  /** The `account_id` that the last transfer of an identity showed. */
  payerOf(identity: Identity): string | undefined {
    return this.#payers.get(nameOf(identity))
  }

  /** The name of the identity that sent the first transfer from an account, by its `account_id`. */
  ownerOf(accountId: string): string | undefined {
    return this.#owners.get(accountId)
  }

  /** Whether an identity has created a QR code with a key. */
  hasKey(identity: Identity, key: string): boolean {
    return this.#known.has(`key of ${nameOf(identity)} ${key}`)
  }

  /** Whether a transfer was rejected, as a look showed. */
  isRejected({ shown }: Exchange): boolean {
    // Whether the two are one id is a question of its own.
    const ids = [stringAt(shown, '/id'), stringAt(shown, '/data/id')]
    return ids.some((id) => this.#known.has(`rejected ${id}`))
  }

  look(balances: ShownBalances): void {
    for (const id of balances.rejected) this.#known.set(`rejected ${id}`, true)
    this.isPending = balances.isPending
    if (balances.isPending) return
    this.atRest = balances
    this.since = this.since.filter(({ completeAt }) => completeAt > balances.sentAt)
  }

  fold(exchange: Exchange): void {
    const { operation, parameters, sent, shown, by, outcome, records } = exchange
    const isTransfer = operation?.id === 'createTransfer'
    if (isTransfer) this.since = [...this.since, exchange].slice(-MOST_SINCE)
    if (outcome !== 'accepted' || !by) return

    const name = nameOf(by)
    if (isTransfer) this.#foldTransfer(shown, name)

    const key = stringAt(sent, '/dict_key')
    if (operation?.id === 'checkKey' && key !== undefined) {
      this.#keep('key', key, shown)
      this.#entries.set(key, shown)
    }

    if (operation?.id === 'checkCode') {
      const beneficiary = valueAt(shown, '/beneficiary')
      this.#keep('key', stringAt(beneficiary, '/dict_key'), beneficiary)
    }

    if (CREATE_CODES.has(operation?.id ?? '') && key !== undefined) {
      this.#known.set(`key of ${name} ${key}`, true)
      this.#keys.set(name, key)
      this.#addReceiver(`key ${key}`, by)
    }

    for (const { kind, id, fields } of records) {
      if (kind.name !== 'customer') continue
      this.#keepUser(`${by.partner} ${id}`, parameters.user_id)
      const customer = { partner: by.partner, customer: id }
      this.#keep('of', nameOf(customer), fields)
      const account = this.accountOf(customer)
      if (account !== undefined) this.#addReceiver(`account ${account}`, customer)
    }
  }

  #addReceiver(what: string, identity: Identity): void {
    const known = this.#receivers.get(what) ?? []
    const isKnown = known.some((it) => nameOf(it) === nameOf(identity))
    if (!isKnown) this.#receivers.set(what, [...known, identity])
  }

  #keepUser(customer: string, user: string | undefined): void {
    if (user !== undefined && !this.#users.has(customer)) this.#users.set(customer, user)
  }

  #keep(what: 'key' | 'of', name: string | undefined, account: unknown): void {
    const ispb = stringAt(account, '/ispb')
    const number = stringAt(account, '/account_number')
    if (name === undefined || ispb === undefined || number === undefined) return
    this.#accounts.set(`${what} ${name}`, `${ispb} ${number}`)
  }

  #foldTransfer(shown: unknown, owner: string): void {
    const account = stringAt(shown, '/data/account_id')
    if (account === undefined) return
    this.#payers.set(owner, account)

    if (!this.#owners.has(account)) this.#owners.set(account, owner)
  }
}
