/**
 * The stable codes of {@link WebhookError}, one for each failure.
 *
 * - `id-missing`: no header webhook-id (svix-id, where the option headerPrefix says so; the same below)
 * - `id-invalid`: not 1 to 255 visible ASCII characters without a full stop
 * - `timestamp-missing`: no header webhook-timestamp
 * - `timestamp-invalid`: not whole seconds since 1970
 * - `timestamp-too-old`: behind the clock by more than the tolerance
 * - `timestamp-too-new`: ahead of the clock by more than the tolerance
 * - `signature-missing`: no header webhook-signature
 * - `signature-invalid`: repeated, over 1024 characters, or none of the signatures is a v1
 * - `signature-mismatch`: no v1 signature was made with these secrets over this id, timestamp and body
 * - `secret-invalid`: not the base64 of 24 to 64 bytes, with or without whsec_; or not 1 to 10 of them
 * - `headers-invalid`: neither a Headers nor an object, or one of the three headers in it is no string
 * - `options-invalid`: no object, a clock that gives no time, a tolerance that is no number from 0, or another
 *   headerPrefix than webhook and svix
 * - `body-not-raw`: neither bytes nor text: it was parsed before it was verified, or its buffer was transferred
 * - `body-not-utf8`: signed, but not UTF-8; or text with half a surrogate pair, for which there is no UTF-8
 * - `body-not-json`: signed, but not JSON; or an event for a test that JSON cannot say
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
  | 'body-not-raw'
  | 'body-not-utf8'
  | 'body-not-json'

/**
 * The one error of this package. Its `code` is stable, its message is for people, and neither holds a secret,
 * a signature or the body. `cause` is the platform's own error, which may quote a body that was signed but is not JSON.
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
  /** Which failure it is. */
  readonly code: WebhookErrorCode

  /**
   * What a receiver answers: 400 where the delivery is at fault; 500 where the receiver is, by its secrets, its options,
   * or what it did to the headers or the body before they came here. Log those.
   */
  readonly status: 400 | 500

  /** For {@link verify} and {@link sign}; of use elsewhere only to test how a refusal is answered. */
  constructor(code: WebhookErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.status = ours.includes(code) ? 500 : 400
  }
}

const ours: WebhookErrorCode[] = ['secret-invalid', 'headers-invalid', 'options-invalid', 'body-not-raw']

/** Throws a `WebhookError` where the condition does not hold. */
export function ensure(condition: unknown, code: WebhookErrorCode, message: string): asserts condition {
  if (!condition) throw new WebhookError(code, message)
}

/** Runs what the platform may refuse; the platform's error stays in `cause`. */
export function attempt<T>(action: () => T, code: WebhookErrorCode, message: string): T {
  try {
    return action()
  } catch (cause) {
    throw new WebhookError(code, message, { cause })
  }
}
