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
import { ids, secrets } from './arbitraries.ts'

const clocks = fc.integer({ min: 1, max: 99_999_999_999 }).map((seconds) => () => seconds * 1000)

/** Random cases, `times` as many as for a commit. */
export function testProperties(times: number): void {
  test('verify(sign(x)) is x for any JSON value', async () => {
    const roundTrip = fc.asyncProperty(
      fc.jsonValue(),
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

  test('a well-formed string and its bytes have the same signature', async () => {
    const text = fc.string({ unit: 'binary' })
    const same = fc.asyncProperty(text, secrets, ids, clocks, async (body, secret, id, now) => {
      const bytes = new TextEncoder().encode(body)
      expect(await sign(body, secret, { id, now })).toEqual(await sign(bytes, secret, { id, now }))
    })
    await fc.assert(same, { numRuns: 50 * times })
  })

  test('any invalid delivery is refused with a WebhookError', async () => {
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('msg_1', '1793629805', 'v1,AAAA'))
    const headers = fc.record(
      {
        'webhook-id': value,
        'webhook-timestamp': value,
        'webhook-signature': fc.oneof(value, fc.array(value)),
      },
      { requiredKeys: [] },
    )
    const bodies = fc.oneof(fc.uint8Array(), fc.string({ unit: 'binary' }))
    const now = () => 1793629805_000
    const refused = fc.asyncProperty(
      bodies,
      headers,
      fc.oneof(secrets, value),
      async (body, given, secret) => {
        const outcome = await verify(body, given, secret, { now }).catch((error: unknown) => error)
        expect(outcome).toBeInstanceOf(WebhookError)
      },
    )
    await fc.assert(refused, { numRuns: 200 * times })
  })

  test('any invalid argument is refused with a WebhookError', async () => {
    const now = () => 1793629805_000
    const good = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1793629805', 'webhook-signature': 'v1,AAAA' }
    const anything = fc.anything({ withNullPrototype: true, withSparseArray: true, withBigInt: true })
    const call = fc.record({
      body: anything,
      headers: fc.oneof(anything, fc.constant(good)),
      secrets: anything,
      options: fc.oneof(anything, fc.constant({ id: 'msg_1', now })),
    })
    const refused = fc.asyncProperty(call, async ({ body, headers, secrets, options }) => {
      const calls = [
        verify(body as string, headers as DeliveryHeaders, secrets as string, options as VerifyOptions),
        sign(body as string, secrets as string, options as SignOptions),
      ]
      for (const outcome of await Promise.allSettled(calls))
        expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(WebhookError) })
    })
    await fc.assert(refused, { numRuns: 200 * times })
  })
}
