import { expect, test } from 'vitest'
import { UsageError } from '../../src/cli/errors.ts'
import { credentialsOf } from '../../src/cli/options.ts'

const responses = { 200: { description: 'Done.' } }
const both = {
  openapi: '3.1.0',
  info: { title: 'Both', version: '1' },
  paths: {
    '/keyed': { get: { operationId: 'keyed', security: [{ basic: [] }], responses } },
    '/me': { get: { operationId: 'me', security: [{ bearer: [] }], responses } },
  },
  components: {
    securitySchemes: {
      basic: { type: 'http', scheme: 'basic' },
      bearer: { type: 'http', scheme: 'bearer' },
    },
  },
}
const NO_FLAGS = { text: () => undefined }
const PAIR = { CLIENT_KEY: 'fulano', CLIENT_SECRET: 'secret' }
const credentials = { clientKey: 'fulano', clientSecret: 'secret' }

test('reads client key, secret and token if the contract uses all of them', () => {
  expect(credentialsOf(NO_FLAGS, { ...PAIR, TOKEN: 't' }, both)).toEqual({
    credentials: { ...credentials, token: 't' },
  })
})

test('reads those that are set', () => {
  expect(credentialsOf(NO_FLAGS, { TOKEN: 't' }, both)).toEqual({ credentials: { token: 't' } })
  expect(credentialsOf(NO_FLAGS, PAIR, both)).toEqual({ credentials })
  expect(() => credentialsOf(NO_FLAGS, {}, both)).toThrow(UsageError)
})
