import { expectTypeOf, test } from 'vitest'
import { sign, verify, WebhookError, type WebhookErrorCode, type WebhookEvent } from '../src/index.ts'

// Compiled, not run: what has to be refused is refused by `tsc`.
const compiled = (_: () => unknown) => {}

test('types the event: of the contract, or the one that is asked for', () => {
  type Paid = { type: 'qrcode.paid'; timestamp: string; data: { id: string } }
  expectTypeOf(() => verify('', {}, '')).returns.resolves.toEqualTypeOf<WebhookEvent>()
  expectTypeOf(() => verify<Paid>('', {}, '')).returns.resolves.toEqualTypeOf<Paid>()
  expectTypeOf(new WebhookError('id-missing', '').code).toEqualTypeOf<WebhookErrorCode>()
  expectTypeOf(new WebhookError('id-missing', '').status).toEqualTypeOf<400 | 500>()
})

test('takes what frameworks have', () => {
  compiled((headers: import('node:http').IncomingHttpHeaders = {}) => verify(Buffer.of(), headers, 'whsec_'))
  compiled(() => verify(new ArrayBuffer(0), new Headers(), ['whsec_'] as const))
})

test('refuses a parsed body, a missing secret and a clock that is a moment', () => {
  // @ts-expect-error a parsed body
  compiled(() => verify({ type: 'qrcode.paid' }, new Headers(), 'whsec_'))
  // @ts-expect-error no secret
  compiled(() => verify('', new Headers()))
  // @ts-expect-error a secret that may be undefined, as process.env has it
  compiled(() => verify('', new Headers(), process.env.SECRET))
  // @ts-expect-error a moment, not a clock
  compiled(() => sign('', 'whsec_', { id: 'msg_1', now: Date.now() }))
})
