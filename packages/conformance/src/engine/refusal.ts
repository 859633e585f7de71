import type { Exchange } from '../model/exchange.ts'
import { isSuccess } from '../model/exchange.ts'
import type { Context } from './context.ts'
import type { Violation } from './violation.ts'

/** Of who asks, of where, or of when: they say nothing of what was asked for. */
const NOT_ABOUT_CONTENT: readonly number[] = [401, 404, 408, 429]

/** Whether a request was refused for what it asks; `also` are statuses that say so too, as 404 does of an unknown id. */
export function isRefusal({ response: { status } }: Exchange, also: readonly number[] = []): boolean {
  return status >= 400 && status < 500 && (also.includes(status) || !NOT_ABOUT_CONTENT.includes(status))
}

interface RefusalOptions extends Partial<Violation> {
  readonly also?: readonly number[]
}

/**
 * Holds to its rule a request that must be refused, where the service has just accepted its twin. What was neither done
 * nor refused for what it asks is masked: no answer, a failure and a call for patience are no refusals.
 */
export function expectRefusal(
  context: Context,
  exchange: Exchange,
  message: string,
  { also, ...place }: RefusalOptions = {},
): void {
  if (isSuccess(exchange)) context.expect(exchange, message, place)
  else if (isRefusal(exchange, also)) context.passed()
  else context.inconclusive()
}
