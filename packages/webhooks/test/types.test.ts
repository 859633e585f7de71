import type { webhooks } from '@partner-payments/spec'
import { expectTypeOf, test } from 'vitest'
import {
  sign,
  verify,
  verifySync,
  WebhookError,
  type WebhookErrorCode,
  type WebhookEvent,
} from '../src/index.ts'

// Compiled, not run: `tsc` checks the expected errors.
const compiled = (_: () => unknown) => {}

test('types the event by the contract or by a type argument', () => {
  type Paid = { type: 'qrcode.paid'; timestamp: string; data: { id: string } }
  expectTypeOf(() => verify('', {}, '')).returns.resolves.toEqualTypeOf<WebhookEvent>()
  expectTypeOf(() => verify<Paid>('', {}, '')).returns.resolves.toEqualTypeOf<Paid>()
  expectTypeOf(new WebhookError('id-missing', '').code).toEqualTypeOf<WebhookErrorCode>()
  expectTypeOf(new WebhookError('id-missing', '').status).toEqualTypeOf<400 | 500>()
})

test('has a type of event for each event of the contract', () => {
  expectTypeOf<WebhookEvent['type']>().toEqualTypeOf<keyof webhooks>()
})

test('accepts the headers and bodies of frameworks', () => {
  compiled((headers: import('node:http').IncomingHttpHeaders = {}) =>
    verify(Buffer.of(), headers, 'whsec_'),
  )
  compiled(() => verify(new ArrayBuffer(0), new Headers(), ['whsec_'] as const))
})

test('refuses a verification that nobody waits for, which would accept every delivery', () => {
  // @ts-expect-error a promise is always true
  compiled(() => (verify('', {}, '') ? 'accepted' : 'refused'))
  compiled(() => {
    // @ts-expect-error a promise is always true
    if (verify('', {}, '')) return 'accepted'
    return 'refused'
  })
  compiled(() => {
    const isVerified = verify('', {}, '')
    // @ts-expect-error a promise is always true
    if (isVerified) return 'accepted'
    return 'refused'
  })
  compiled(() => {
    // @ts-expect-error a promise has no event
    return verify('', {}, '').type
  })
})

test('verifies at once, with the same types', () => {
  expectTypeOf(() => verifySync('', {}, '')).returns.toEqualTypeOf<WebhookEvent>()
  expectTypeOf(() => verifySync<'x'>('', {}, '')).returns.toEqualTypeOf<'x'>()
})

test('refuses a parsed body, a missing secret, a missing id and a number as clock', () => {
  // @ts-expect-error a parsed body
  compiled(() => verify({ type: 'qrcode.paid' }, new Headers(), 'whsec_'))
  // @ts-expect-error no secret
  compiled(() => verify('', new Headers()))
  // @ts-expect-error a secret that may be undefined, as process.env has it
  compiled(() => verify('', new Headers(), process.env.SECRET))
  // @ts-expect-error no id
  compiled(() => sign('', 'whsec_', {}))
  // @ts-expect-error a number, not a clock
  compiled(() => sign('', 'whsec_', { id: 'msg_1', now: Date.now() }))
})
