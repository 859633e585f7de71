import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type DeliveryHeaders,
  type SignOptions,
  sign,
  type VerifyOptions,
  verify,
  WebhookError,
} from '../src/index.ts'
import { ids, secrets, unit } from './arbitraries.ts'

const clocks = fc.integer({ min: 1, max: 99_999_999_999 }).map((seconds) => () => seconds * 1000)

/** Random cases, `times` as many as for a commit. */
export function testProperties(times: number): void {
  test('verify(sign(x)) is x for any JSON value', async () => {
    const roundTrip = fc.asyncProperty(
      fc.jsonValue({ stringUnit: unit }),
      secrets,
      ids,
      clocks,
      async (value, secret, id, now) => {
        const body = JSON.stringify(value)
        const headers = await sign(body, secret, { id, now })
        expect(await verify(new TextEncoder().encode(body), headers, secret, { now })).toEqual(
          JSON.parse(body),
        )
      },
    )
    await fc.assert(roundTrip, { numRuns: 100 * times })
  })

  test('any invalid argument is refused with a WebhookError', async () => {
    const now = () => 1793629805_000
    const anything = fc.anything({
      withNullPrototype: true,
      withSparseArray: true,
      withBigInt: true,
    })
    const text = fc.oneof(fc.string({ unit }), fc.constantFrom('msg_1', '1793629805', 'v1,AAAA'))
    const parts = { 'webhook-id': text, 'webhook-timestamp': text }
    const headers = { ...parts, 'webhook-signature': fc.oneof(text, fc.array(text)) }
    const call = fc.record({
      body: fc.oneof(anything, fc.uint8Array(), text),
      headers: fc.oneof(anything, fc.record(headers, { requiredKeys: [] })),
      key: fc.oneof(anything, secrets, text),
      options: fc.oneof(anything, fc.constant({ id: 'msg_1', now })),
    })
    const refused = fc.asyncProperty(call, async ({ body, headers, key, options }) => {
      const verified = verify(
        body as string,
        headers as DeliveryHeaders,
        key as string,
        options as VerifyOptions,
      )
      await expect(verified).rejects.toBeInstanceOf(WebhookError)
      // Valid arguments are among these.
      const signed = sign(body as string, key as string, options as SignOptions)
      const [outcome] = await Promise.allSettled([signed])
      const isSigned = outcome.status === 'fulfilled'
      expect(isSigned || outcome.reason instanceof WebhookError).toBe(true)
    })
    await fc.assert(refused, { numRuns: 400 * times })
  })

  test('a delivery is refused after any change of its id, timestamp, signature, secret or body', async () => {
    const now = () => 1793629805_000
    const changed = fc.asyncProperty(
      secrets,
      ids,
      body,
      edits,
      async (secret, id, body, { part, ...edit }) => {
        const signed = await sign(body, secret, { id, now })
        const delivery = { body, secret, ...signed }
        const edited = { ...delivery, [part]: editedText(delivery[part], edit) }
        const isChanged = edited[part] !== delivery[part] && !isSameKey(edited.secret, secret)
        fc.pre(isChanged)

        const { body: text, secret: key, ...headers } = edited
        const outcome = await verify(text, headers, key, { now }).catch((error: unknown) => error)
        expect(outcome).toBeInstanceOf(WebhookError)
      },
    )
    await fc.assert(changed, { numRuns: 1_000 * times })
  })
}

const body = fc
  .record({ amount: fc.nat().map(String), description: fc.constant('Almoço') })
  .map((data) => JSON.stringify({ data }))

/** A character replaced, inserted, removed or swapped, the rest removed, or another spelling. */
const edits = fc.record({
  part: fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature', 'secret', 'body'),
  at: fc.nat(),
  character: fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
    fc.constantFrom('é', '１', '\u200B', '\uFEFF'),
  ),
  how: fc.constantFrom<(before: string, after: string, character: string) => string>(
    (before, after, character) => before + character + after.slice(1),
    (before, after, character) => before + character + after,
    (before, after) => before + after.slice(1),
    (before, after) => before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2),
    (before) => before,
    (before, after) => (before + after).toLowerCase(),
    (before, after) => (before + after).replaceAll('+', '-').replaceAll('/', '_'),
  ),
})

type Edit = Omit<typeof edits extends fc.Arbitrary<infer Of> ? Of : never, 'part'>

function editedText(text: string, { at, character, how }: Edit): string {
  const place = at % (text.length + 1)
  return how(text.slice(0, place), text.slice(place), character)
}

/**
 * Another secret with the same key: HMAC pads a key with zero bytes (RFC 2104, section 2), and
 * padding is optional.
 */
function isSameKey(edited: string, secret: string): boolean {
  if (edited === secret) return false
  return keyTextOf(edited) === keyTextOf(secret)
}

/** A secret without what does not change its key: prefix, padding and zero bytes at the end. */
function keyTextOf(secret: string): string {
  const encoded = secret.replace(/^whsec_/, '')
  const unpadded = encoded.replace(/=+$/, '')
  return unpadded.replace(/A+$/, '')
}
