import { STATUS_CODES } from 'node:http'
import { type RefusalCode, statusOf } from './behaviour.ts'
import type { Schemas } from './contract.ts'
import { StoreUnavailable } from './store/store.ts'

export type ProblemError = Schemas['ProblemError']

/** For people, without anything that came from outside. The statuses are those of the contract. */
const DETAILS: Readonly<Record<RefusalCode, string>> = {
  malformed_body: 'The body is not JSON.',
  invalid_request: 'The request breaks the contract.',
  invalid_credentials: 'The client key or the secret is wrong.',
  invalid_token: 'The access token is missing, wrong or expired.',
  wrong_token_kind: 'This operation takes a partner token, not an impersonated one.',
  not_found: "What was asked for does not exist, or is not the caller's.",
  method_not_allowed: 'The path does not take this method.',
  tx_id_taken: 'Another QR code of this partner has this tx_id.',
  initiation_used: 'The initiation_id has paid a transfer before.',
  code_paid: 'The charge behind this code was paid.',
  qrcode_paid: 'The QR code was paid and cannot be cancelled.',
  body_too_large: 'The body is larger than 65536 bytes.',
  unsupported_media_type: 'The body must be application/json.',
  invalid_code: 'The payment code cannot be read.',
  code_expired: 'The charge behind this code can no longer be paid.',
  code_cancelled: 'The charge behind this code was cancelled.',
  invalid_key: 'The text is not a payment key.',
  initiation_invalid: 'The initiation_id is unknown, old, or belongs to another key.',
  insufficient_funds: 'The account holds less than the amount.',
  amount_not_allowed: 'The amount is not one that can be paid here.',
  beneficiary_mismatch: 'The beneficiary is not the owner that was looked up.',
  payment_date_not_allowed: 'Payments cannot be scheduled.',
  member_missing: 'The QR code lacks a field.',
  invalid_charge: 'Fields of the QR code contradict each other.',
  url_not_allowed: 'Deliveries cannot go to this URL.',
  rate_limited: 'Too many requests; ask again later.',
  internal_error: 'The service failed.',
  unavailable: 'The service is not there for the moment.',
}

interface RefusalOptions extends ErrorOptions {
  readonly errors?: readonly ProblemError[]
  readonly headers?: Readonly<Record<string, string>>
  /** Instead of the code's own. */
  readonly status?: number
  readonly detail?: string
}

/** A request that is not answered as it asked. It becomes HTTP in `problemOf`, and nowhere else. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly options: RefusalOptions

  constructor(code: RefusalCode, options: RefusalOptions = {}) {
    super(options.detail ?? DETAILS[code], options)
    this.code = code
    this.options = options
  }
}

/**
 * Refuses a request for one member of its body.
 *
 * @param pointer JSON pointer to the member.
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

/** Refuses for lack of what was asked for; the same words whether it never was or is another's. */
export function notFound(): never {
  throw new Refusal('not_found')
}

/** The answer to what was thrown. Of what is no refusal, nothing is shown. */
export function problemOf(error: unknown, requestId: string): Response {
  const { code, options } = error instanceof Refusal ? error : failureOf(error)
  const { status = statusOf(code), detail = DETAILS[code], errors, headers } = options
  const body = {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    code,
    request_id: requestId,
  }
  return new Response(JSON.stringify(errors ? { ...body, errors } : body), {
    status,
    headers: { ...headers, 'content-type': 'application/problem+json', 'x-request-id': requestId },
  })
}

function failureOf(error: unknown): Refusal {
  if (!(error instanceof StoreUnavailable)) return new Refusal('internal_error')
  const detail = `The state cannot be read or written: ${error.message}. Try again later.`
  return new Refusal('unavailable', { detail, headers: { 'retry-after': RETRY_AFTER } })
}

/** Seconds. */
const RETRY_AFTER = '5'

/** Refuses when a limit says to wait so many seconds; 0 lets pass. */
export function limited(seconds: number): void {
  if (seconds === 0) return
  const detail = `Too many requests; ask again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
  throw new Refusal('rate_limited', { detail, headers: { 'retry-after': String(seconds) } })
}
