import type { Named, ReadResponse } from './operation.ts'
import { isProblem } from './proof.ts'
import { readProperty, readText } from './property.ts'

/**
 * The message of an error: the operation, what happened, and where its request went, if that helps:
 * `listUsers: no complete response within 5000 ms [GET https://…]`.
 */
export function writeMessage(kind: string, message: string, operation: Named | undefined): string {
  if (!operation) return message
  const { operationId, method, endpoint } = operation

  // A mistake of the caller is about the call, and the message of an unknown outcome has its cause.
  const namesPlace = endpoint !== undefined && kind !== 'config' && kind !== 'outcome_unknown'
  const place = namesPlace ? ` [${method} ${endpoint}]` : ''

  // The message of an HTTP error continues the operation: "createTransfer was refused (…)".
  const separator = kind === 'http' ? ' ' : ': '
  return `${operationId}${separator}${message}${place}`
}

/**
 * `OutcomeUnknownError` for `outcome_unknown`. Derived from the kind, since minifiers shorten class
 * names.
 */
export function errorName(kind: string): string {
  const words = kind.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Error`
}

/** Asks whether the base URL is right, if the response may be that of another server. */
export function baseUrlNote(result: ReadResponse): string {
  const { status } = result.response
  const isElsewhere = MAYBE_ELSEWHERE.has(status) && !isProblem(result)
  return isElsewhere ? ': is the base URL right?' : ''
}

/** Statuses of a server that does not know the path, and of a redirect to another one. */
const MAYBE_ELSEWHERE: ReadonlySet<number> = /* @__PURE__ */ new Set([
  0, // A redirect in a browser, which hides it.
  301,
  302,
  303,
  307,
  308,
  404,
  405,
])

/**
 * Reads the header `retry-after`, which has seconds or a date. Returns the milliseconds to wait;
 * `undefined` if it has no valid time in the future.
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined
  const isSeconds = /^\d+$/.test(value)
  const wait = isSeconds ? Number(value) * 1000 : Date.parse(value) - now

  // False for a date in the past, and for text that is no date.
  const isFuture = wait >= 0
  return isFuture ? wait : undefined
}

/** How many causes of an error are read; they may form a circle. */
const MAX_CAUSES = 5

/**
 * Returns the error itself, after it hid the field `data` of the error and its causes: undici keeps
 * there the bytes that it could not parse. They may be personal, so they are not printed.
 */
export function hideBytes(error: unknown): unknown {
  let cause = error
  for (let i = 0; i < MAX_CAUSES && cause instanceof Error; i++) {
    const hasBytes = Object.getOwnPropertyDescriptor(cause, 'data')?.configurable
    if (hasBytes) Object.defineProperty(cause, 'data', { enumerable: false })
    cause = cause.cause
  }
  return error
}

/** Shows only a code that is one word. */
export function connectionMessage(error: unknown): string {
  const code = readText(error, 'code') || readText(readProperty(error, 'cause'), 'code')
  if (!/^\w+$/.test(code)) return 'no complete response'
  return `no complete response (${code})`
}
