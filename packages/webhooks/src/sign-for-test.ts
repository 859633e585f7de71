import { requireThat, wrapErrors } from './error.ts'
import type { WebhookEvent } from './events.ts'
import type { HeaderPrefix, SignedHeaders } from './headers.ts'
import { type SignOptions, sign } from './sign.ts'
import type { Secrets } from './signature.ts'

/**
 * A delivery as the second argument of `fetch` or `new Request`.
 *
 * @example
 * const delivery: TestDelivery = await signForTest({ type: 'qrcode.paid', timestamp: '', data: {} }, generateSecret())
 */
export type TestDelivery<Prefix extends HeaderPrefix = 'webhook'> = {
  /** Always `POST`. */
  method: 'POST'
  /** The three headers of the signature, and the type of the body. */
  headers: SignedHeaders<Prefix> & { 'content-type': 'application/json' }
  /** The event as JSON, exactly as signed. */
  body: string
}

/**
 * Creates a signed delivery to test a receiver. The id is random by default, so that every call is
 * a different event; pass the same id twice to test deduplication.
 *
 * @throws {WebhookError} as {@link sign} does, and `body-not-json`.
 *
 * @example
 * const event = { type: 'qrcode.paid', timestamp: '2026-11-02T14:30:04Z', data: {} }
 * const delivery = await signForTest(event, generateSecret())
 * const response = await fetch('http://localhost:3000/webhooks', delivery)
 */
export async function signForTest<Event = WebhookEvent, Prefix extends HeaderPrefix = 'webhook'>(
  event: Event,
  secrets: Secrets,
  options: Partial<SignOptions<Prefix>> = {},
): Promise<TestDelivery<Prefix>> {
  const expected = 'the event must be serializable as JSON'
  const body = wrapErrors(() => JSON.stringify(event), 'body-not-json', expected)
  // JSON.stringify returns undefined for undefined, a function or a symbol, despite its type.
  requireThat(body, 'body-not-json', expected)

  const signOptions = wrapErrors(
    () => withId(options),
    'options-invalid',
    'options must be an object',
  )
  const headers = await sign(body, secrets, signOptions)
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  }
}

/** The options with a random id if they have none. */
function withId<Prefix extends HeaderPrefix>(
  options: Partial<SignOptions<Prefix>>,
): SignOptions<Prefix> {
  const { id = `msg_${crypto.randomUUID()}`, ...others } = options
  return { ...others, id }
}
