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

    const payer = otherPayer ?? (await this.#findDefaultPayer())
    return payer ? comparePeople(payer, receiver) : 'unknown'
  }

  /** Does work that may change the payer, after other such work has ended. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }

  /** If the present payer is the receiver, lets somebody else pay. Returns whether somebody else pays now. */
  async avoid(receiver: CodeReceiver): Promise<boolean> {
    if ((await this.compare(receiver)) !== 'same') return false

    return this.inTurn(async () => {
      // Requests go out side by side, so that another one may have changed the payer since then.
      const isReceiver = (await this.compare(receiver)) === 'same'
      const isChanged = !isReceiver || (await this.change(receiver))
      this.#isPayerReceiver = !isChanged
      return isChanged
    })
  }

  /**
   * Lets the next one pay who is not known to be the receiver, of the list of others. Returns whether somebody else
   * pays now; false if the run knows nobody else.
   */
  async change(receiver: CodeReceiver): Promise<boolean> {
    const { identities, maySearch } = this.#options
    if (!maySearch) return false

    // Whoever was tried is taken from the list.
    this.#others ??= await this.#listOthers()
    for (let next = this.#others.shift(); next !== undefined; next = this.#others.shift()) {
      const isReceiver = typeof next === 'object' && comparePeople(next, receiver) === 'same'
      if (!isReceiver && (await identities.letPay(next))) return true
    }
    return false
  }

  /** Lets the customer pay again who does so by default, after nobody else could. */
  async giveUp(): Promise<void> {
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
    const defaultPayer = await this.#findDefaultPayer()
    const customers = await this.#listCustomers()
    return customers.filter(({ customer_id }) => customer_id !== defaultPayer?.customer_id)
  }

  /**
   * The customer that pays by default. One that the user of the checker names is looked up among those of the partner;
   * otherwise it is the one for whom the run has a token. Undefined if it cannot be found.
   */
  async #findDefaultPayer(): Promise<FoundCustomer | undefined> {
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

/**
 * Compares a customer with a receiver, by account and by tax ID. If only one of the two is known, that decides. Two
 * tax IDs are two people. One tax ID with two accounts may count as one person, or as two: unknown.
 */
function comparePeople(customer: FoundCustomer, receiver: CodeReceiver): Comparison {
  const ofAccounts = compareAccounts(customer.account, receiver.account)
  const ofTaxIds = compareTaxIds(customer.taxId ?? '', receiver.taxId ?? '')
  if (ofAccounts === 'unknown') return ofTaxIds
  if (ofTaxIds === 'unknown' || ofTaxIds === ofAccounts) return ofAccounts
  return ofTaxIds === 'different' ? 'different' : 'unknown'
}

/** Compares two account numbers, without what people write between their digits. */
function compareAccounts(one = '', other = ''): Comparison {
  const first = one.replaceAll(/\W/g, '')
  const second = other.replaceAll(/\W/g, '')
  if (first === '' || second === '') return 'unknown'
  return first === second ? 'same' : 'different'
}
