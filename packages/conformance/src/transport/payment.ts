import { valueAt } from '../model/document.ts'
import { type HttpRequest, jsonIn } from '../model/http.ts'

/** The operation that moves money, and its amount. */
export interface Payment {
  readonly operation: string
  /** JSON pointer into the request body. */
  readonly amount: string
}

/** Whether the amount is within the limit. An amount that cannot be parsed exactly is not. */
export function isAtMost({ amount }: Payment, { body = '' }: HttpRequest, max: string | undefined): boolean {
  const [cents, most] = [valueAt(jsonIn(body), amount), max].map(centsOf)
  return cents !== undefined && most !== undefined && cents <= most
}

function centsOf(amount: unknown): bigint | undefined {
  const isPlain = typeof amount === 'string' && /^\d{1,12}\.\d{2}$/.test(amount)
  return isPlain ? BigInt(amount.replace('.', '')) : undefined
}
