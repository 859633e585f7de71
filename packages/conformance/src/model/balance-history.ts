import { findOnlyItem, stringAt } from '../contract/json.ts'
import { INSUFFICIENT_FUNDS, SETTLED } from '../contract/words.ts'
import { readSentAmount } from './amounts.ts'
import { Bounded } from './bounded.ts'
import { type CustomerBalance, listCustomerBalances } from './customer-balance.ts'
import { type Exchange, type Trace, withoutResponse } from './exchange.ts'

/** Limits of what is remembered: accounts, and the last transfers. */
const MAX_ENTRIES = 1_000
const MAX_TRANSFERS = 200

/** A balance may be that of yesterday, which changes once a day. It hardly ever does so within this time. */
const TEN_MINUTES_MS = 600_000

/** A balance, and the response that showed it. */
export interface BalanceLook extends CustomerBalance {
  readonly by: Trace
}

/** A payment that was refused for lack of funds, in centavos, and the balance that was shown before it. */
export interface RefusedOverdraft {
  readonly amount: bigint
  readonly balance: bigint
  readonly by: Trace
}

/**
 * The balances that a service shows of its own accord beside the customers of a user: the contract declares no such
 * field. `fold` remembers an exchange.
 */
export class Balances {
  /** By `account_id`. */
  readonly #looks = new Bounded<string, BalanceLook>(MAX_ENTRIES)
  /** Of each `account_id`, the one that would have left the smallest debt. */
  readonly #refusedOverdrafts = new Bounded<string, RefusedOverdraft>(MAX_ENTRIES)
  /** The amounts of all transfers that may settle after their response, by the `account_id` of the payer. */
  readonly #unsettled = new Bounded<string, bigint>(MAX_ENTRIES)
  /** Those of which no response shows the payer, such as after a timeout. */
  #unsettledOfAnyPayer = 0n
  readonly #lagMs: number
  #transfers: readonly Exchange[] = []
  #hasMoved = false

  /** @param lagMs Milliseconds for which a balance may be shown as it was before a transfer. */
  constructor(lagMs: number) {
    this.#lagMs = lagMs
  }

  /**
   * Whether a payment has lowered a balance of its payer. Before that, what is shown may be something else than what
   * the account holds now, such as its balance of yesterday.
   */
  get hasMoved(): boolean {
    return this.#hasMoved
  }

  /**
   * Finds the last balance of an account that was shown when no earlier transfer could still move it. Undefined if that
   * is more than ten minutes before `at`, so that other payments may be in the next one.
   */
  findLook(accountId: string, at: number): BalanceLook | undefined {
    const look = this.#looks.get(accountId)
    return look && at - look.by.sentAt <= TEN_MINUTES_MS ? look : undefined
  }

  /** The transfers that may have moved a balance since it was shown. */
  listTransfersSince({ by }: BalanceLook): readonly Exchange[] {
    return this.#transfers.filter(({ completeAt }) => completeAt > by.sentAt)
  }

  /** How many centavos transfers may take from an account at any time, since nobody knows when they settle. */
  findUnsettled(accountId: string): bigint {
    return (this.#unsettled.get(accountId) ?? 0n) + this.#unsettledOfAnyPayer
  }

  /**
   * Finds the payment of more than the balance that was refused for lack of funds. Of several, the one that would have
   * left the smallest debt.
   */
  findRefusedOverdraft(accountId: string): RefusedOverdraft | undefined {
    return this.#refusedOverdrafts.get(accountId)
  }

  /** Takes in the next exchange. */
  fold(exchange: Exchange): void {
    if (exchange.operation?.id === 'createTransfer') {
      this.#rememberRefusedOverdraft(exchange)
      this.#rememberTransfer(exchange)
    }
    for (const shown of readShownBalances(exchange)) this.#rememberBalance(shown, exchange)
  }

  /** Remembers a customer's payment of more than its balance that was refused, if nothing else explains the refusal. */
  #rememberRefusedOverdraft(exchange: Exchange): void {
    const { outcome, responseBody, trace } = exchange
    const isForLackOfFunds = stringAt(responseBody, '/code') === INSUFFICIENT_FUNDS
    const look = this.#findLookOfCustomer(exchange)
    if (outcome !== 'refused' || !isForLackOfFunds || !look) return
    // Other payments may have taken money, or have set it aside.
    if (this.findUnsettled(look.accountId) > 0n) return
    if (this.listTransfersSince(look).some((transfer) => transfer.outcome !== 'refused')) return

    const amount = readSentAmount(exchange)
    if (amount === undefined || amount <= look.centavos) return

    const smallest = this.findRefusedOverdraft(look.accountId)
    if (smallest && smallest.amount - smallest.balance <= amount - look.centavos) return
    this.#refusedOverdrafts.set(look.accountId, { amount, balance: look.centavos, by: trace })
  }

  /** Finds the last balance of the customer that sends a request; undefined if the customer has several accounts. */
  #findLookOfCustomer({ identity, sentAt }: Exchange): BalanceLook | undefined {
    const id = identity?.customer
    if (id === undefined) return undefined
    const look = findOnlyItem([...this.#looks.values()].filter(({ customer }) => customer === id))
    return look && this.findLook(look.accountId, sentAt)
  }

  #rememberTransfer(exchange: Exchange): void {
    this.#transfers = [...this.#transfers, readTransfer(exchange)].slice(-MAX_TRANSFERS)

    const amount = readSentAmount(exchange) ?? 0n
    // A negative amount takes nothing from its payer.
    if (amount <= 0n || !maySettleLater(exchange)) return

    const payer = stringAt(exchange.responseBody, '/data/account_id')
    if (payer === undefined) this.#unsettledOfAnyPayer += amount
    else this.#unsettled.set(payer, (this.#unsettled.get(payer) ?? 0n) + amount)
  }

  /** Remembers a balance, unless a transfer is so recent that the balance may be from before it. */
  #rememberBalance(shown: CustomerBalance, { trace, sentAt }: Exchange): void {
    const before = this.findLook(shown.accountId, sentAt)
    if (before && this.#isLoweredByPayer(shown, before)) this.#hasMoved = true

    const mayLag = this.#transfers.some(({ completeAt }) => sentAt - completeAt < this.#lagMs)
    if (!mayLag) this.#looks.set(shown.accountId, { ...shown, by: trace })
  }

  #isLoweredByPayer({ centavos, accountId }: CustomerBalance, before: BalanceLook): boolean {
    const payers = this.listTransfersSince(before).map(({ responseBody }) =>
      stringAt(responseBody, '/data/account_id'),
    )
    return centavos < before.centavos && payers.includes(accountId)
  }
}

/** Whether a transfer may take its amount after its response: it is pending, or its outcome is not known. */
function maySettleLater({ outcome, responseBody }: Exchange): boolean {
  if (outcome === 'refused') return false
  return stringAt(responseBody, '/status') !== SETTLED
}

/** A transfer with what its response shows of the payer and of its end. */
function readTransfer(exchange: Exchange): Exchange {
  return { ...withoutResponse(exchange), responseBody: exchange.responseBody }
}

/** Reads the balances that the look-up of a user shows; none from any other response. */
export function readShownBalances({
  operation,
  outcome,
  responseBody,
}: Exchange): readonly CustomerBalance[] {
  if (operation?.id !== 'getUser' || outcome !== 'accepted') return []
  return listCustomerBalances(responseBody)
}
