import { STATUS_CODES } from 'node:http'
import { type RefusalCode, readCause, readStatus } from './behaviour.ts'
import type { Schemas } from './contract.ts'
import { StoreUnavailable } from './store/store.ts'

export type ProblemError = Schemas['ProblemError']

interface RefusalOptions extends ErrorOptions {
  readonly errors?: readonly ProblemError[]
  readonly headers?: Readonly<Record<string, string>>
  /** Overrides the status of the code. */
  readonly status?: number
  readonly detail?: string
}

/** A request that is refused. `createProblem` alone turns it into the parts of a response. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly options: RefusalOptions

  constructor(code: RefusalCode, options: RefusalOptions = {}) {
    super(options.detail ?? readCause(code), options)
    this.code = code
    this.options = options
  }
}

/**
 * Refuses a request because of one field of its body.
 *
 * @param pointer JSON pointer to the field.
 * @param detail What was expected there.
 */
export function refuse(
  code: RefusalCode,
  pointer: string,
  detail: string,
  options: RefusalOptions = {},
): never {
  throw new Refusal(code, { ...options, errors: [{ pointer, code, detail }] })
}

/**
 * Refuses because the resource does not exist. A resource of another partner gets the same message.
 */
export function notFound(): never {
  throw new Refusal('not_found')
}

/** The names of RFC 9110, where Node has older ones. */
const TITLES: Readonly<Record<number, string | undefined>> = {
  ...STATUS_CODES,
  413: 'Content Too Large',
  422: 'Unprocessable Content',
}

export function createProblemResponse(error: unknown, requestId: string): Response {
  const { text, status, headers } = createProblem(error, requestId)
  return new Response(text, { status, headers })
}

/**
 * Returns the response for an error: its status, its headers and its body as JSON (problem details,
 * RFC 9457). An error that is not a `Refusal` reveals nothing.
 *
 * @param catalogue the page that explains each code under an anchor, for `type`; `about:blank`
 *   without one
 */
export function createProblem(error: unknown, requestId: string, catalogue?: string) {
  const { code, options } = error instanceof Refusal ? error : toRefusal(error)
  const { status = readStatus(code), detail = readCause(code), errors, headers } = options
  const type = catalogue === undefined ? 'about:blank' : `${catalogue}#${code}`
  const body = {
    type,
    title: TITLES[status] ?? 'Error',
    status,
    detail,
    code,
    request_id: requestId,
  }
  return {
    code,
    status,
    headers: { ...headers, 'content-type': 'application/problem+json', 'x-request-id': requestId },
    text: JSON.stringify(errors ? { ...body, errors } : body),
  }
}

/**
 * The refusal in place of an error of another kind: `unavailable` if the state cannot be used now,
 * else `internal_error`, which says nothing of the error.
 */
function toRefusal(error: unknown): Refusal {
  if (!(error instanceof StoreUnavailable)) return new Refusal('internal_error')

  const detail = `The state cannot be read or written: ${error.message}. Try again later.`
  return new Refusal('unavailable', { detail, headers: { 'retry-after': '5' } })
}

/** Refuses if a limit asks to wait; 0 seconds passes. */
export function refuseIfLimited(seconds: number): void {
  if (seconds === 0) return

  const unit = seconds === 1 ? 'second' : 'seconds'
  const detail = `Too many requests. Send the request again in ${seconds} ${unit}.`
  throw new Refusal('rate_limited', { detail, headers: { 'retry-after': String(seconds) } })
}
