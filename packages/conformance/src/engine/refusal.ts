import { type Exchange, isSuccess } from '../model/exchange.ts'
import type { Context } from './context.ts'
import type { Violation } from './violation.ts'

/** Statuses about the identity, the address or the time of a request, not its content. */
const NOT_ABOUT_CONTENT: readonly number[] = [401, 404, 408, 429]

/**
 * Whether a request was refused because of its content. `also` adds statuses, such as 404 for an unknown id.
 */
export function isRefusal({ response: { status } }: Exchange, also: readonly number[] = []): boolean {
  return status >= 400 && status < 500 && (also.includes(status) || !NOT_ABOUT_CONTENT.includes(status))
}

interface RefusalOptions extends Partial<Violation> {
  readonly also?: readonly number[]
}

/**
 * Expects that an invalid variant of an accepted request is refused. The case is inconclusive if the response
 * is missing, a 5xx, a 429 or about something other than the content.
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
