import { expect, test } from 'vitest'
import { checkHar } from '../src/passive/har.ts'
import { watchFetch } from '../src/passive/watch-fetch.ts'
import { prove } from '../src/prove/prove.ts'
import { check } from '../src/run/check.ts'
import type { CheckOptions } from '../src/run/options.ts'

const URL_OF = 'http://in.process'

/** Options as a program without types gives them. */
const given = (options: object) => ({ url: URL_OF, ...options }) as CheckOptions

const WRONG: readonly [string, object, string][] = [
  [
    'spec',
    { spec: 'openapi.yaml' },
    'check has no option "spec" (did you mean contract?); it has url, contract, ',
  ],
  ['a token beside', { token: 'abc' }, 'check has no option "token" (did you mean credentials?)'],
  [
    'a contract that is text',
    { contract: 'openapi.yaml' },
    'contract must be an object, a parsed OpenAPI document',
  ],
  ['an unknown kind', { target: 'prod' }, 'target must be mock, sandbox or live, got "prod"'],
  ['an unknown law', { only: ['nope'] }, 'only names "nope", which is neither a law nor a phase'],
  [
    'credentials of other names',
    { credentials: { user: 'a', password: 'b' } },
    'credentials must be { clientKey, clientSecret } or { token }',
  ],
  ['another such', { other: 'abc' }, 'other must be { clientKey, clientSecret } or { token }'],
]

test.each(WRONG)('refuses %s by name', async (_, options, words) => {
  await expect(check(given(options))).rejects.toThrow(TypeError)
  await expect(check(given(options))).rejects.toThrow(words)
})

test('refuses unknown options of what else takes a contract', async () => {
  const options = { spec: 'openapi.yaml' } as object
  await expect(prove(given(options))).rejects.toThrow('prove has no option "spec"')
  await expect(checkHar({}, options)).rejects.toThrow('checkHar has no option "spec"')
  expect(() => watchFetch(fetch, options)).toThrow('watchFetch has no option "spec"')
})
