import { findOnlyItem, stringAt, valueAt } from '../contract/json.ts'
import type { ShownRecord } from '../contract/kinds.ts'
import type { ShownBalances } from '../history.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, type Identity, listTransferIds, nameOf } from './exchange.ts'

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
  readonly #accountsByKey = new Bounded<string, string>(MAX_ENTRIES)
  readonly #accountsByCustomer = new Bounded<string, string>(MAX_ENTRIES)
  /** The key with which an identity last created a QR code, by the identity. */
  readonly #lastKeys = new Bounded<string, string>(MAX_ENTRIES)
  /** The identities that created QR codes, by the key of the codes. */
  readonly #creatorsByKey = new Bounded<string, readonly Identity[]>(MAX_ENTRIES)
  readonly #customersByAccount = new Bounded<string, readonly Identity[]>(MAX_ENTRIES)
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
    return this.#accountsByKey.get(key)
  }

  /**
   * The account of an identity, such as `99999010 1234567`: that which a look-up showed of a customer, else that of
   * the key with which the identity last created a QR code. Undefined if neither is known.
   */
  findAccount(identity: Identity): string | undefined {
    const name = nameOf(identity)
    const shownAccount = this.#accountsByCustomer.get(name)
    if (shownAccount !== undefined) return shownAccount

    const key = this.#lastKeys.get(name)
    return key === undefined ? undefined : this.findAccountOfKey(key)
  }

  /** What the directory has of a key, as the last look-up showed it. */
  findKeyEntry(key: string): unknown {
    return this.#entries.get(key)
  }

  /**
   * Whose account a key credits: the only customer who has its account, as look-ups show. If none has, the only
   * identity that created QR codes with the key, since a partner may do so with the keys of its customers. Undefined if
   * several may own it, or none is known.
   */
  findReceiver(key: string): Identity | undefined {
    const account = this.findAccountOfKey(key)
    const customers = account === undefined ? undefined : this.#customersByAccount.get(account)
    return findOnlyItem(customers ?? this.#creatorsByKey.get(key) ?? [])
  }

  /** Whether a QR code was created with a key. */
  isKeyOfCode(key: string): boolean {
    return this.#creatorsByKey.has(key)
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
    const creators = this.#creatorsByKey.get(key) ?? []
    return creators.some((creator) => nameOf(creator) === nameOf(identity))
  }

  /** Whether a transfer was rejected, as a look showed. */
  isRejected(transfer: Exchange): boolean {
    return listTransferIds(transfer).some((id) => this.#rejectedTransfers.has(id))
  }

  /**
   * Remembers what a sandbox shows: the balances, unless a transfer is pending, and the ids of the transfers that
   * were rejected.
   */
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

    for (const record of records) {
      const isCustomer = record.kind.name === 'customer'
      if (isCustomer) this.#rememberCustomer(record, identity, parameters.user_id)
    }
  }

  /** Remembers the account that pays a transfer: it is that of the identity that sent it. */
  #rememberTransfer({ responseBody }: Exchange, by: Identity): void {
    const accountId = stringAt(responseBody, '/data/account_id')
    if (accountId === undefined) return

    const name = nameOf(by)
    this.#payers.set(name, accountId)
    // Whoever was the first to send a transfer from an account stays its owner.
    if (!this.#owners.has(accountId)) this.#owners.set(accountId, name)
  }

  /** The check of a key shows its account, and what the directory has of it. */
  #rememberCheckOfKey({ requestBody, responseBody }: Exchange): void {
    const key = stringAt(requestBody, '/dict_key')
    if (key === undefined) return

    const account = readAccount(responseBody)
    if (account !== undefined) this.#accountsByKey.set(key, account)
    this.#entries.set(key, responseBody)
  }

  /** The check of a code shows the key that it pays, with the account of the key. */
  #rememberCheckOfCode({ responseBody }: Exchange): void {
    const beneficiary = valueAt(responseBody, '/beneficiary')
    const key = stringAt(beneficiary, '/dict_key')
    const account = readAccount(beneficiary)
    if (key !== undefined && account !== undefined) this.#accountsByKey.set(key, account)
  }

  /** Whoever creates a code for a key owns the key. */
  #rememberCreationOfCode({ requestBody }: Exchange, by: Identity): void {
    const key = stringAt(requestBody, '/dict_key')
    if (key === undefined) return

    this.#lastKeys.set(nameOf(by), key)
    this.#creatorsByKey.set(key, addIdentity(this.#creatorsByKey.get(key) ?? [], by))
  }

  /** Remembers the account of a customer, and the user to whom the customer belongs. */
  #rememberCustomer(
    { id, fields }: ShownRecord,
    { partner }: Identity,
    userId: string | undefined,
  ): void {
    const customerKey = `${partner} ${id}`
    const isFirstUser = userId !== undefined && !this.#users.has(customerKey)
    if (isFirstUser) this.#users.set(customerKey, userId)

    const customer = { partner, customer: id }
    const shownAccount = readAccount(fields)
    if (shownAccount !== undefined) this.#accountsByCustomer.set(nameOf(customer), shownAccount)

    // Where no response shows the account, it is that of the key for which the customer creates codes.
    const account = this.findAccount(customer)
    if (account === undefined) return

    const customers = addIdentity(this.#customersByAccount.get(account) ?? [], customer)
    this.#customersByAccount.set(account, customers)
  }
}

/** Adds an identity to a list, unless it is in it. */
function addIdentity(identities: readonly Identity[], identity: Identity): readonly Identity[] {
  const isListed = identities.some((listed) => nameOf(listed) === nameOf(identity))
  return isListed ? identities : [...identities, identity]
}

/**
 * Reads the account that a response shows, such as `99999010 1234567`: the bank (ISPB) and the number. Undefined if
 * one of both is missing.
 */
function readAccount(shown: unknown): string | undefined {
  const ispb = stringAt(shown, '/ispb')
  const number = stringAt(shown, '/account_number')
  if (ispb === undefined || number === undefined) return undefined
  return `${ispb} ${number}`
}
