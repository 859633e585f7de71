import type { Context } from '../../engine/context.ts'
import type { Exchange } from '../../model/exchange.ts'

/** Expects 401 */
export function isRefused(context: Context, exchange: Exchange, words: string): void {
  const { status } = exchange.response
  const refusals = context.contract.conventions.refusals?.question
  const isRefusal = status >= 400 && status < 500
  const question = isRefusal ? refusals : undefined
  if (status === 401 || (isRefusal && refusals === undefined)) context.passed()
  else
    context.expect(exchange, `Expected 401 for ${words}, got ${status}.`, {
      about: String(status),
      ...(question !== undefined && { question }),
    })
}
