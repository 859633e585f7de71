import { STATUS_CODES } from 'node:http'
import type { Schemas } from './contract.ts'
import { StoreUnavailable } from './store/store.ts'

export type ProblemCode = Schemas['ProblemCode']
export type ProblemError = Schemas['ProblemError']

/** The status and the words of each code; the words are for people, and hold nothing that came from outside. */
const PROBLEMS: Readonly<Record<KnownCode, readonly [status: number, detail: string]>> = {
  malformed_body: [400, 'The body is not JSON.'],
  invalid_request: [400, 'The request breaks the contract.'],
  invalid_credentials: [401, 'The client key or the secret is wrong.'],
  invalid_token: [401, 'The access token is missing, wrong or expired.'],
  wrong_token_kind: [403, 'This operation takes a partner token, not an impersonated one.'],
  not_found: [404, "What was asked for does not exist, or is not the caller's."],
  method_not_allowed: [405, 'The path does not take this method.'],
  tx_id_taken: [409, 'Another QR code of this partner has this tx_id.'],
  initiation_used: [409, 'The initiation_id has paid a transfer before.'],
  code_paid: [409, 'The charge behind this code was paid.'],
  qrcode_paid: [409, 'The QR code was paid and cannot be cancelled.'],
  body_too_large: [413, 'The body is larger than 65536 bytes.'],
  unsupported_media_type: [415, 'The body must be application/json.'],
  invalid_code: [422, 'The payment code cannot be read.'],
  code_expired: [422, 'The charge behind this code can no longer be paid.'],
  code_cancelled: [422, 'The charge behind this code was cancelled.'],
  invalid_key: [422, 'The text is not a payment key.'],
  initiation_invalid: [422, 'The initiation_id is unknown, old, or belongs to another key.'],
  insufficient_funds: [422, 'The account holds less than the amount.'],
  amount_not_allowed: [422, 'The amount is not one that can be paid here.'],
  beneficiary_mismatch: [422, 'The beneficiary is not the owner that was looked up.'],
  payment_date_not_allowed: [422, 'Payments cannot be scheduled.'],
  member_missing: [422, 'The QR code lacks a member.'],
  invalid_charge: [422, 'The members of the QR code do not go together.'],
  url_not_allowed: [422, 'Deliveries cannot go to this URL.'],
  rate_limited: [429, 'Too many requests; ask again later.'],
  internal_error: [500, 'The service failed.'],
  unavailable: [503, 'The service is not there for the moment.'],
}

/** The codes of the contract's enumeration, which is open in its answers. */
export type KnownCode = ProblemCode extends infer Code
  ? Code extends string
    ? string extends Code
      ? never
      : Code
    : never
  : never

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
  readonly code: KnownCode
  readonly options: RefusalOptions

  constructor(code: KnownCode, options: RefusalOptions = {}) {
    super(options.detail ?? PROBLEMS[code][1], options)
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
  code: KnownCode,
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
  const [usual, words] = PROBLEMS[code]
  const { status = usual, detail = words, errors, headers } = options
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
