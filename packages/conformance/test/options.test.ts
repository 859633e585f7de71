import { expect, test } from 'vitest'
import { check } from '../src/check.ts'
import type { CheckOptions } from '../src/engine/check-options.ts'
import { checkHar } from '../src/traffic/har.ts'
import { watchFetch } from '../src/traffic/watch-fetch.ts'

const URL_OF = 'http://in.process'

/** Options from a program without types. */
const given = (options: object) => ({ url: URL_OF, ...options }) as CheckOptions

const WRONG: readonly [string, object, string][] = [
  ['spec', { spec: 'openapi.yaml' }, 'check has no option "spec" (did you mean contract?)'],
  ['a token beside', { token: 'abc' }, 'check has no option "token" (did you mean credentials?)'],
  [
    'a contract that is text',
    { contract: 'openapi.yaml' },
    'contract must be an object, a parsed OpenAPI document',
  ],
  ['an unknown kind', { target: 'prod' }, 'target must be mock, sandbox or live, got "prod"'],
  ['an unknown rule', { only: ['nope'] }, 'only names "nope", which is neither a rule nor a phase'],
  [
    'credentials of other names',
    { credentials: { user: 'a', password: 'b' } },
    'credentials must be { clientKey, clientSecret } or { token }',
  ],
  ['a part of fewer', { shard: { i: 4, n: 3 } }, 'shard must be { i, n }, part i of n, and n '],
  ['a part that is none', { shard: '1/3' }, 'shard must be { i, n }, part i of n'],
  [
    'a maximum that guards would read as none',
    { allowPayments: { maxAmount: '1' } },
    'allowPayments must be { maxAmount }',
  ],
  ['rules that are no list', { only: 'invalid requests' }, 'only must be a list of ids of rules or phases'],
  ['no rule', { only: [] }, 'only must be a list of ids of rules or phases'],
  ['no operation', { operations: [] }, 'operations must be a list of operationIds'],
  ['a seed that is none', { seed: 1.5 }, 'seed must be an integer from 0 to 4294967295, got 1.5'],
  ['no time', { timeMs: Number.NaN }, 'timeMs must be a number from 0 to 86400000, got NaN'],
  ['a rate of nothing', { rate: 0 }, 'rate must be a number from 0.1 to 100000, got 0'],
  ['a rate below nothing', { rate: -1 }, 'rate must be a number from 0.1 to 100000, got -1'],
  ['a wait that is none', { deliveryWithinMs: '8s' }, 'deliveryWithinMs must be a number from 1 to 3600000'],
  ['a port that is none', { receiverPort: 0 }, 'receiverPort must be an integer from 1 to 65535, got 0'],
  ['a receiver that is no URL', { receiverUrl: 'here' }, 'receiverUrl must be a URL of http or https'],
  ['a wire that is none', { transport: { send: 1 } }, 'transport must be { send, close }, both functions'],
  [
    'values of no operation',
    { values: { '/amount': '1.00' } },
    'values must be { operation: { pointer: value } }',
  ],
  ['a listener that is not a function', { onProgress: true }, 'onProgress must be a function, got true'],
  ['no base URL', { url: undefined }, 'url must be the base URL of the service'],
  ['another such', { other: 'abc' }, 'other must be { clientKey, clientSecret } or { token }'],
]

test.each(WRONG)('refuses %s by name', async (_, options, words) => {
  await expect(check(given(options))).rejects.toThrow(TypeError)
  await expect(check(given(options))).rejects.toThrow(words)
})

test('shows no secret of credentials that it refuses', async () => {
  const options = given({ credentials: { clientKey: 'partner', secret: 'hidden' } })
  await expect(check(options)).rejects.toThrow(/^(?!.*hidden)credentials must be/)
})

test('refuses unknown options of the other functions that take a contract', async () => {
  const options = { spec: 'openapi.yaml' } as object
  await expect(checkHar({}, options)).rejects.toThrow('checkHar has no option "spec"')
  expect(() => watchFetch(fetch, options)).toThrow('watchFetch has no option "spec"')
})
