import type { operations } from '@partner-payments/spec'
import { expect } from 'vitest'
import { checkResponse, failureMessage, isFailure } from './matcher.ts'

/** Arguments of `toConformTo`: an operation of the partner payments contract, or of the given one. */
type Conforming =
  | [operation: keyof operations, options?: { readonly strict?: boolean }]
  | [operation: string, options: { readonly contract: object; readonly strict?: boolean }]

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /**
     * Asserts that a `Response` conforms to the contract of an operation: status, headers and body. The body
     * can still be read afterwards. With `strict: false`, differences from assumptions are ignored.
     *
     * @example
     * await expect(response).toConformTo('checkKey')
     */
    toConformTo: (...conforming: Conforming) => Promise<R>
  }
}

expect.extend({
  async toConformTo(received: unknown, ...[operation, options = {}]: Conforming) {
    if (!(received instanceof Response)) throw new TypeError('toConformTo expects a Response')
    const contract = 'contract' in options ? options.contract : undefined
    const all = await checkResponse(received, operation, contract)
    const findings = all.filter((it) => options.strict !== false || isFailure(it))
    return {
      pass: findings.length === 0,
      message: () =>
        findings.length === 0
          ? `The response conforms to the contract of ${operation}, but was expected not to.`
          : failureMessage(
              `The response ${received.status} does not conform to the contract of ${operation}:`,
              findings,
            ),
    }
  },
})
