import { type Comparison, stringAt } from '../contract/json.ts'
import { compareTaxIds } from '../model/tax-ids.ts'
import { type Call, type FoundCustomer, findCustomers } from '../send/customers.ts'
import type { Identities, OtherPayer } from '../send/identities.ts'

/** So many others are tried as payers in a run. */
const MAX_OTHERS = 4

/** The account that a code pays, as its check shows it. */
export interface CodeReceiver {
  readonly account: string | undefined
  readonly taxId: string | undefined
}

interface CodePayersOptions {
  readonly send: Call
  readonly identities: Identities
  /** Whether the run may look up people, and act for customers whom the user does not name. */
  readonly maySearch: boolean
  /** The id of the customer that the user names. */
  readonly namedCustomer: unknown
}

/**
 * Chooses who pays codes. A service may refuse a payment to oneself, and then refuses every payment of a code
 * whose receiver pays it. The run then pays as somebody else: another customer of the partner, or the other
 * partner.
 */
export class CodePayers {
  readonly #options: CodePayersOptions
  #customers: Promise<readonly FoundCustomer[]> | undefined
  /** Those that were not tried yet; undefined before they were looked up. */
  #others: OtherPayer[] | undefined
  /** The last work that may change the payer, so that the next one begins after it. */
  #turn: Promise<unknown> = Promise.resolve()
  #isPayerReceiver = false

  constructor(options: CodePayersOptions) {
    this.#options = options
  }

  /** Whether the payer is the receiver of a code, and the run knows nobody else who could pay. */
  get isPayerReceiver(): boolean {
    return this.#isPayerReceiver
  }

  /** Whether the customer pays who does so by default. */
  get isDefaultPayer(): boolean {
    return this.#options.identities.otherPayer === undefined
  }

  /**
   * Compares who pays codes now with the receiver of a code. Unknown if it is the other partner, or if too little is
   * known of one of them.
   */
  async compare(receiver: CodeReceiver): Promise<Comparison> {
    // A customer, `other` for the other partner, or undefined while the default customer pays.
    const { otherPayer } = this.#options.identities
    if (typeof otherPayer === 'string') return 'unknown'

    const payer = otherPayer ?? (await this.findDefaultPayer())
    return payer ? comparePeople(payer, receiver) : 'unknown'
  }

  /** Does work that may change the payer, after other such work has ended. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }

  /**
   * If the present payer is the receiver of a code, lets somebody else pay. Returns whether the payer is another one
   * now.
   */
  async replacePayerIfReceiver(receiver: CodeReceiver): Promise<boolean> {
    const isReceiver = (await this.compare(receiver)) === 'same'
    if (!isReceiver) return false
    return this.inTurn(() => this.#replacePayerOnce(receiver))
  }

  /** Lets somebody else pay than the receiver, unless another request has done so. Returns whether somebody else pays. */
  async #replacePayerOnce(receiver: CodeReceiver): Promise<boolean> {
    // Requests go out side by side, so that another one may have changed the payer in the meantime.
    const wasReplaced = (await this.compare(receiver)) !== 'same'
    const isReplaced = wasReplaced || (await this.letNextPay(receiver))
    this.#isPayerReceiver = !isReplaced
    return isReplaced
  }

  /**
   * Lets the next of the others pay who is not known to be the receiver. Returns whether somebody else pays now; false
   * if the run knows nobody else.
   */
  async letNextPay(receiver: CodeReceiver): Promise<boolean> {
    const { identities, maySearch } = this.#options
    if (!maySearch) return false

    this.#others ??= await this.#listOthers()
    // Whoever is tried is taken from the list, and is not tried for the next code.
    let next = this.#others.shift()
    while (next !== undefined) {
      if (!isCertainReceiver(next, receiver) && (await identities.letPay(next))) return true
      next = this.#others.shift()
    }
    return false
  }

  /** Lets the customer pay again who does so by default, after nobody else could. */
  async letDefaultPay(): Promise<void> {
    await this.#options.identities.letPay(undefined)
  }

  /** Up to four who may pay: other customers of the partner than the default payer, then the other partner. */
  async #listOthers(): Promise<OtherPayer[]> {
    const customers = await this.listOtherCustomers()
    const hasOtherPartner = this.#options.identities.has('other')
    // A substitute is a customer of that partner, for a service that lets only customers pay.
    const ofOtherPartner: readonly OtherPayer[] = hasOtherPartner
      ? ['other', 'other-substitute']
      : []
    const maxCustomers = MAX_OTHERS - ofOtherPartner.length
    return [...customers.slice(0, maxCustomers), ...ofOtherPartner]
  }

  /** The customers of the partner but the one that pays by default. None if nobody may be looked up. */
  async listOtherCustomers(): Promise<readonly FoundCustomer[]> {
    if (!this.#options.maySearch) return []
    const defaultPayer = await this.findDefaultPayer()
    const customers = await this.#listCustomers()
    return customers.filter(({ customer_id }) => customer_id !== defaultPayer?.customer_id)
  }

  /**
   * The customer that pays by default. One that the user of the checker names is looked up among those of the partner;
   * otherwise it is the one for whom the run has a token. Undefined if it cannot be found.
   */
  async findDefaultPayer(): Promise<FoundCustomer | undefined> {
    const { identities, namedCustomer, maySearch } = this.#options
    if (!maySearch) return identities.customer

    if (namedCustomer !== undefined) {
      const customers = await this.#listCustomers()
      return customers.find(({ customer_id }) => customer_id === namedCustomer)
    }
    // Its token shows which customer it is.
    await identities.authorization('customer', { scheme: 'bearer' })
    return identities.customer
  }

  #listCustomers(): Promise<readonly FoundCustomer[]> {
    this.#customers ??= findCustomers(this.#options.send)
    return this.#customers
  }
}

/** Reads the receiver of a code from its check. */
export function readCodeReceiver(check: unknown): CodeReceiver {
  return {
    account: stringAt(check, '/beneficiary/account_number'),
    taxId: stringAt(check, '/beneficiary/tax_id'),
  }
}

/** Whether a payer is certainly the receiver of a code. Nobody knows that of the other partner. */
function isCertainReceiver(payer: OtherPayer, receiver: CodeReceiver): boolean {
  return typeof payer === 'object' && comparePeople(payer, receiver) === 'same'
}

/** Compares a customer with the receiver of a code, by account and by tax ID. */
function comparePeople(customer: FoundCustomer, receiver: CodeReceiver): Comparison {
  const accounts = compareAccounts(customer.account, receiver.account)
  const taxIds = compareTaxIds(customer.taxId ?? '', receiver.taxId ?? '')
  // If one of both is not known, the other one decides.
  if (accounts === 'unknown') return taxIds
  if (taxIds === 'unknown') return accounts

  // Two tax IDs are two people, also with one account.
  if (taxIds === 'different') return 'different'
  // One tax ID with two accounts may count as one person, or as two.
  return accounts === 'same' ? 'same' : 'unknown'
}

/** Compares two account numbers, without what people write between their digits. */
function compareAccounts(one = '', other = ''): Comparison {
  const first = one.replaceAll(/\W/g, '')
  const second = other.replaceAll(/\W/g, '')
  if (first === '' || second === '') return 'unknown'
  return first === second ? 'same' : 'different'
}
