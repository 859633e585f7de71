/**
 * The stable codes of {@link WebhookError}, one for each failure.
 *
 * - `id-missing`: no header webhook-id (svix-id with the option headerPrefix `svix`; the same
 *   below)
 * - `id-invalid`: not 1 to 255 visible ASCII characters without a full stop
 * - `timestamp-missing`: no header webhook-timestamp
 * - `timestamp-invalid`: not whole seconds since 1970
 * - `timestamp-too-old`: behind the clock by more than the tolerance
 * - `timestamp-too-new`: ahead of the clock by more than the tolerance
 * - `signature-missing`: no header webhook-signature
 * - `signature-invalid`: repeated, over 1024 characters, or without a v1 signature
 * - `signature-mismatch`: no v1 signature matches these secrets, id, timestamp and body
 * - `secret-invalid`: not the base64 of 24 to 64 bytes, with or without whsec_; or not 1 to 10
 *   secrets
 * - `headers-invalid`: neither a Headers nor an object, or one of the three headers is not a string
 * - `options-invalid`: not an object, a clock that returns no time, a tolerance that is not a
 *   number from 0, or a headerPrefix other than webhook and svix
 * - `sync-unavailable`: this runtime has no `node:crypto`, which `verifySync` needs
 * - `body-not-raw`: neither bytes nor a string: it was parsed before it was verified, or its buffer
 *   was transferred
 * - `body-not-utf8`: signed, but not UTF-8; or a string with a lone surrogate, which UTF-8 cannot
 *   encode
 * - `body-not-json`: signed, but not JSON; or a test event that is not serializable as JSON
 *
 * @example
 * const advice: Partial<Record<WebhookErrorCode, string>> = { 'timestamp-too-old': 'set the clock' }
 */
export type WebhookErrorCode =
  | 'id-missing'
  | 'id-invalid'
  | 'timestamp-missing'
  | 'timestamp-invalid'
  | 'timestamp-too-old'
  | 'timestamp-too-new'
  | 'signature-missing'
  | 'signature-invalid'
  | 'signature-mismatch'
  | 'secret-invalid'
  | 'headers-invalid'
  | 'options-invalid'
  | 'sync-unavailable'
  | 'body-not-raw'
  | 'body-not-utf8'
  | 'body-not-json'

/**
 * The error of this package. Its `code` is stable and its message is for people. Neither contains a
 * secret, a signature or the body. `cause` is the error of the platform, which may quote a signed
 * body that is not JSON.
 *
 * @example
 * function refuse(error: unknown): Response {
 *   if (error instanceof WebhookError && error.status === 400)
 *     return Response.json({ code: error.code }, { status: 400 })
 *   console.error(error)
 *   return new Response(null, { status: 500 })
 * }
 */
export class WebhookError extends Error {
  /** Always `WebhookError`. */
  override readonly name = 'WebhookError'
  /** The kind of failure. */
  readonly code: WebhookErrorCode

  /**
   * The status for the receiver to return: 400 if the delivery is invalid; 500 if the receiver is
   * misconfigured, by its secrets or options, or modified the headers or the body before. Log
   * those.
   */
  readonly status: 400 | 500

  /**
   * Called by {@link verify} and {@link sign}. Use it only to test how your receiver handles
   * errors.
   */
  constructor(code: WebhookErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.status = RECEIVER_ERRORS.has(code) ? 500 : 400
  }
}

/** The failures that no sender can cause: the receiver must be changed. */
const RECEIVER_ERRORS: ReadonlySet<WebhookErrorCode> = new Set<WebhookErrorCode>([
  'secret-invalid', // Its secret is not one.
  'headers-invalid', // It passes something else than the headers.
  'options-invalid', // Its clock, tolerance or prefix is wrong.
  'sync-unavailable', // It runs where only `verify` can.
  'body-not-raw', // It parsed the body before.
])

/** Throws a `WebhookError` if the condition is false. */
export function requireThat(
  condition: unknown,
  code: WebhookErrorCode,
  message: string,
): asserts condition {
  if (!condition) throw new WebhookError(code, message)
}

/** Runs `action` and wraps an error of the platform, which stays in `cause`. */
export function wrapErrors<T>(action: () => T, code: WebhookErrorCode, message: string): T {
  try {
    return action()
  } catch (cause) {
    throw new WebhookError(code, message, { cause })
  }
}
