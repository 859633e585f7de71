import { stringAt } from '../contract/json.ts'
import { hasPlainAmount, readSentAmount } from './amounts.ts'
import { type Consistency, isLikePayment } from './consistency.ts'
import { type Exchange, isValid, withoutResponse } from './exchange.ts'

/** A payment of a key that was refused. */
export interface RefusedKeyPayment {
  readonly exchange: Exchange
  readonly amount: bigint
  /** Of the refusal; undefined if it shows none. */
  readonly code: string | undefined
}

/** A payment that was accepted right after smaller ones were refused, of any identity. */
export interface LargerPayment {
  readonly transfer: Exchange
  readonly amount: bigint
  readonly refused: readonly RefusedKeyPayment[]
}

/** Smaller amounts may be less than the least that a service pays. In centavos. */
const MIN_AMOUNT = 100_000n

/** Milliseconds within which hardly anybody else fills an account. */
const SOON_MS = 60_000

/** Limits of what is remembered: refused payments since the last accepted one, and larger payments. */
const MAX_REFUSED = 50
const MAX_LARGER = 100

/** The payments that were accepted after smaller ones were refused. `fold` remembers an exchange. */
export class LargerPayments {
  #refused: readonly RefusedKeyPayment[] = []
  #larger: readonly LargerPayment[] = []

  list(): readonly LargerPayment[] {
    return this.#larger
  }

  /**
   * Takes in the next exchange.
   *
   * @param consistency What the service has shown before it.
   */
  fold(exchange: Exchange, consistency: Consistency): void {
    if (exchange.operation?.id !== 'createTransfer') return

    if (exchange.outcome === 'refused') {
      this.#rememberRefused(exchange, consistency)
      return
    }
    if (exchange.outcome === 'accepted') this.#rememberLarger(exchange)
    // It may have filled an account, or emptied one.
    this.#refused = []
  }

  /** Remembers a refused payment of a key that has only another amount than one which was accepted of the same payer. */
  #rememberRefused(exchange: Exchange, consistency: Consistency): void {
    const amount = readSentAmount(exchange) ?? 0n
    const accepted = consistency.findKeyPayments(exchange)?.accepted
    if (amount < MIN_AMOUNT || !accepted || !isLikePayment(exchange, accepted)) return
    if (!isValid(exchange) || !hasPlainAmount(exchange)) return

    const code = stringAt(exchange.responseBody, '/code')
    const refused = { exchange: withoutResponse(exchange), amount, code }
    this.#refused = [...this.#refused, refused].slice(-MAX_REFUSED)
  }

  /** Remembers an accepted payment, if smaller ones were just refused. */
  #rememberLarger(exchange: Exchange): void {
    const amount = readSentAmount(exchange) ?? 0n
    const refused = this.#refused.filter(
      (payment) => payment.amount < amount && exchange.sentAt - payment.exchange.sentAt <= SOON_MS,
    )
    const isFull = this.#larger.length === MAX_LARGER
    if (refused.length === 0 || isFull) return

    const transfer = { ...withoutResponse(exchange), responseBody: exchange.responseBody }
    this.#larger = [...this.#larger, { transfer, amount, refused }]
  }
}
