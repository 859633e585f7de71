import type { Outcome } from '../send/requests.ts'

/** A payment of a code that the service must refuse, and accepted. */
export interface WrongPayment {
  /** What is wrong: the code has another amount, or was paid or cancelled before. */
  readonly about: 'amount' | 'ended code'
  /** The example of createTransfer that pays a code of this kind. */
  readonly example: number
  /** The valid payment of which it is a variant. */
  readonly accepted: Pick<Outcome, 'sentAt'>
  /** The wrong amount. */
  readonly amount?: unknown
}

/**
 * The wrong payments that the service accepted in a run: the first of each kind of code for each reason. A plan that
 * receives events repeats them, since only an event may say that money was moved.
 */
export class WrongPayments {
  readonly #payments = new Map<string, WrongPayment>()

  /** Remembers a wrong payment, if it is the first one of its kind. */
  note(payment: WrongPayment): void {
    const kind = `${payment.about} ${payment.example}`
    if (!this.#payments.has(kind)) this.#payments.set(kind, payment)
  }

  list(): readonly WrongPayment[] {
    return [...this.#payments.values()]
  }
}
