import { findOnlyItem, stringAt, valueAt } from '../contract/json.ts'
import type { ShownRecord } from '../contract/kinds.ts'
import type { ShownBalances } from '../history.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, type Identity, nameOf } from './exchange.ts'

/** Limits of what is remembered: entries of each map, and transfers since the last look at balances. */
const MAX_ENTRIES = 5_000
const MAX_TRANSFERS = 50

/** The operations that create a code for a key of the identity that sends them. */
const CREATE_CODES: ReadonlySet<string> = new Set([
  'createStaticQrCode',
  'createImmediateQrCode',
  'createDueDateQrCode',
])

/**
 * What the history has shown of accounts: whose they are, which keys they have, and what they hold. An
 * account is written as its institution and its number: `99999010 1234567`.
 */
export class Ledger {
  /** Accounts by `key <key>`, or by `of <identity>`. */
  readonly #accounts = new Bounded<string, string>(MAX_ENTRIES)
  /** The key with which an identity last created a QR code, by the identity. */
  readonly #lastKeys = new Bounded<string, string>(MAX_ENTRIES)
  /** The identities that created QR codes by `key <key>`, and customers by `account <account>`. */
  readonly #receivers = new Bounded<string, readonly Identity[]>(MAX_ENTRIES)
  /** The id of the user that first showed a customer, by partner and customer. */
  readonly #users = new Bounded<string, string>(MAX_ENTRIES)
  /** What the last look-up of a key showed, by the key. */
  readonly #entries = new Bounded<string, unknown>(MAX_ENTRIES)
  /** The `account_id` of the last transfer of an identity, by the identity. */
  readonly #payers = new Bounded<string, string>(MAX_ENTRIES)
  /** The identity that sent the first transfer from an account, by `account_id`. */
  readonly #owners = new Bounded<string, string>(MAX_ENTRIES)
  /** The ids of transfers that a look showed as rejected. */
  readonly #rejectedTransfers = new Bounded<string, true>(MAX_ENTRIES)

  /** The balances at the last look when no transfer was pending. */
  lastBalances: ShownBalances | undefined
  /** The transfers that were sent since then. */
  transfersSince: readonly Exchange[] = []
  /** Whether a transfer had not ended at the last look. */
  isPending = false

  /**
   * The institution and the number of the account that a key belongs to, as a check or a look-up
   * showed them.
   */
  findAccountOfKey(key: string): string | undefined {
    return this.#accounts.get(`key ${key}`)
  }

  /** The same for the account that an identity creates QR codes for. */
  findAccount(identity: Identity): string | undefined {
    const name = nameOf(identity)
    const ownAccount = this.#accounts.get(`of ${name}`)
    if (ownAccount !== undefined) return ownAccount

    const key = this.#lastKeys.get(name)
    return key === undefined ? undefined : this.findAccountOfKey(key)
  }

  /** What the directory has of a key, as the last look-up showed it. */
  findKeyEntry(key: string): unknown {
    return this.#entries.get(key)
  }

  /**
   * Whose account a key credits: the only identity that created QR codes with it, or the customer
   * who has its account.
   */
  findReceiver(key: string): Identity | undefined {
    const creators = this.#receivers.get(`key ${key}`)
    if (creators) return findOnlyItem(creators)

    const account = this.findAccountOfKey(key)
    if (account === undefined) return undefined
    return findOnlyItem(this.#receivers.get(`account ${account}`) ?? [])
  }

  /** Whether a QR code was created with a key. */
  isKeyOfCode(key: string): boolean {
    return this.#receivers.get(`key ${key}`) !== undefined
  }

  /** The user with whom a customer was first shown to a partner. */
  findUser(partner: string, customer: string): string | undefined {
    return this.#users.get(`${partner} ${customer}`)
  }

  /** The `account_id` that the last transfer of an identity showed. */
  findPayer(identity: Identity): string | undefined {
    return this.#payers.get(nameOf(identity))
  }

  /** The name of the identity that sent the first transfer from an account, by its `account_id`. */
  findOwner(accountId: string): string | undefined {
    return this.#owners.get(accountId)
  }

  /** Whether an identity has created a QR code with a key. */
  hasKey(identity: Identity, key: string): boolean {
    const creators = this.#receivers.get(`key ${key}`) ?? []
    return creators.some((creator) => nameOf(creator) === nameOf(identity))
  }

  /** Whether a transfer was rejected, as a look showed. */
  isRejected({ responseBody }: Exchange): boolean {
    // Whether the two are one id is a question of its own.
    const ids = [stringAt(responseBody, '/id'), stringAt(responseBody, '/data/id')]
    return ids.some((id) => id !== undefined && this.#rejectedTransfers.has(id))
  }

  /** Remembers the balances that a sandbox shows, and the transfers that they say are rejected. */
  noteBalances(balances: ShownBalances): void {
    for (const id of balances.rejected) this.#rejectedTransfers.set(id, true)
    this.isPending = balances.isPending
    // The amount of a pending transfer is set aside, so that balances say nothing until it ends.
    if (balances.isPending) return

    this.lastBalances = balances
    // Transfers that were complete before the look are in these balances.
    this.transfersSince = this.transfersSince.filter(
      ({ completeAt }) => completeAt > balances.sentAt,
    )
  }

  /** Takes in the next exchange: remembers what it shows of keys, accounts and their owners. */
  fold(exchange: Exchange): void {
    const { operation, parameters, identity, outcome, records } = exchange
    const isTransfer = operation?.id === 'createTransfer'
    // Any transfer, even a refused one, may have moved money since the last look at the balances.
    if (isTransfer) this.transfersSince = [...this.transfersSince, exchange].slice(-MAX_TRANSFERS)
    if (!operation || outcome !== 'accepted' || !identity) return

    if (isTransfer) this.#rememberTransfer(exchange, identity)
    if (operation.id === 'checkKey') this.#rememberCheckOfKey(exchange)
    if (operation.id === 'checkCode') this.#rememberCheckOfCode(exchange)
    if (CREATE_CODES.has(operation.id)) this.#rememberCreationOfCode(exchange, identity)

    for (const record of records)
      if (record.kind.name === 'customer')
        this.#rememberCustomer(record, identity, parameters.user_id)
  }

  /** Remembers the account that pays a transfer: it is that of the identity that sent it. */
  #rememberTransfer({ responseBody }: Exchange, by: Identity): void {
    const accountId = stringAt(responseBody, '/data/account_id')
    if (accountId === undefined) return

    const name = nameOf(by)
    this.#payers.set(name, accountId)
    if (!this.#owners.has(accountId)) this.#owners.set(accountId, name)
  }

  /** The check of a key shows its account, and what the directory has of it. */
  #rememberCheckOfKey({ requestBody, responseBody }: Exchange): void {
    const key = stringAt(requestBody, '/dict_key')
    if (key === undefined) return

    this.#setAccount(`key ${key}`, responseBody)
    this.#entries.set(key, responseBody)
  }

  /** The check of a code shows the key that it pays, with the account of the key. */
  #rememberCheckOfCode({ responseBody }: Exchange): void {
    const beneficiary = valueAt(responseBody, '/beneficiary')
    const key = stringAt(beneficiary, '/dict_key')
    if (key !== undefined) this.#setAccount(`key ${key}`, beneficiary)
  }

  /** Whoever creates a code for a key owns the key. */
  #rememberCreationOfCode({ requestBody }: Exchange, by: Identity): void {
    const key = stringAt(requestBody, '/dict_key')
    if (key === undefined) return

    this.#lastKeys.set(nameOf(by), key)
    this.#addReceiver(`key ${key}`, by)
  }

  /** Remembers the account of a customer, and the user to whom the customer belongs. */
  #rememberCustomer(
    { id, fields }: ShownRecord,
    { partner }: Identity,
    userId: string | undefined,
  ): void {
    const customerKey = `${partner} ${id}`
    if (userId !== undefined && !this.#users.has(customerKey)) this.#users.set(customerKey, userId)

    const customer = { partner, customer: id }
    this.#setAccount(`of ${nameOf(customer)}`, fields)
    const account = this.findAccount(customer)
    if (account !== undefined) this.#addReceiver(`account ${account}`, customer)
  }

  /** @param credited `key <key>` or `account <account>` */
  #addReceiver(credited: string, identity: Identity): void {
    const receivers = this.#receivers.get(credited) ?? []
    const isAlreadyKnown = receivers.some((receiver) => nameOf(receiver) === nameOf(identity))
    if (!isAlreadyKnown) this.#receivers.set(credited, [...receivers, identity])
  }

  /**
   * Remembers an account that a response shows, if it shows all of it.
   *
   * @param owner `key <key>` or `of <identity>`
   */
  #setAccount(owner: string, shown: unknown): void {
    const ispb = stringAt(shown, '/ispb')
    const number = stringAt(shown, '/account_number')
    if (ispb === undefined || number === undefined) return
    this.#accounts.set(owner, `${ispb} ${number}`)
  }
}
