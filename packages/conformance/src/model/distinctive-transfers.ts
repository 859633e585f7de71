import { readSentAmount } from './amounts.ts'
import { Bounded } from './bounded.ts'
import { readEndToEndIdOfTransfer } from './end-to-end-ids.ts'
import type { Exchange, Trace } from './exchange.ts'

/** A request that would have made a transfer. */
export interface SentTransfer {
  readonly trace: Trace
  /** As the response shows it; undefined after a refusal. */
  readonly endToEndId: string | undefined
}

/** Limits of what is remembered: amounts, and transfers of one amount. */
const MAX_AMOUNTS = 5_000
const MAX_TRANSFERS = 50

/**
 * The transfers with amounts that tell them from others, such as 47.13, whatever became of them. `fold` remembers an
 * exchange.
 */
export class DistinctiveTransfers {
  readonly #transfersByAmount = new Bounded<bigint, readonly SentTransfer[]>(MAX_AMOUNTS)

  /** Lists all transfers that were sent with an amount. None if the amount says little, or some may be forgotten. */
  listTransfersOf(amount: bigint): readonly SentTransfer[] {
    const transfers = this.#transfersByAmount.get(amount) ?? []
    const isAnyForgotten = this.#transfersByAmount.forgotten > 0 || transfers.length > MAX_TRANSFERS
    return isAnyForgotten ? [] : transfers
  }

  /** Takes in the next exchange. */
  fold(exchange: Exchange): void {
    const amount = readSentAmount(exchange)
    const isTransfer = exchange.operation?.id === 'createTransfer'
    if (!isTransfer || amount === undefined || !isDistinctive(amount)) return

    const earlier = this.#transfersByAmount.get(amount) ?? []
    if (earlier.length > MAX_TRANSFERS) return

    const { trace } = exchange
    const endToEndId = readEndToEndIdOfTransfer(exchange)
    this.#transfersByAmount.set(amount, [...earlier, { trace, endToEndId }])
  }
}

/** Whether hardly anybody else sends an amount at the same time: it has four different digits, and none is zero. */
function isDistinctive(centavos: bigint): boolean {
  const digits = String(centavos)
  return centavos > 0n && !digits.includes('0') && new Set(digits).size >= 4
}
