import { expect, test } from 'vitest'
import { judged } from './check-service.ts'
import {
  bodyOf,
  contractOf,
  createContractService,
  json,
  object,
  response,
  statuses,
} from './contract-service.ts'

const BASIC = { clientKey: 'fulano', clientSecret: 'secret-of-fulano' }
const TOKEN = { token: 'token-of-fulano' }
const AUTHORIZATION = `Basic ${btoa('fulano:secret-of-fulano')}`

const id = object({ id: { type: 'string' } })

/** A contract where some operations need a key and a secret, and others a token. */
function bank(paths: object = {}): object {
  return contractOf(
    {
      '/accounts/close-all': {
        post: {
          operationId: 'closeAll',
          security: [{ basic: [] }],
          responses: statuses({ 204: { description: 'Closed.' } }, 401),
        },
      },
      '/me': {
        get: {
          operationId: 'me',
          security: [{ bearer: [] }],
          responses: statuses({ 200: response(id) }, 401),
        },
      },
      ...paths,
    },
    {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: {
        Error: object({ error: { type: 'string' } }),
        Token: {
          allOf: [{ $ref: '#/components/schemas/Access' }, object({ expiration: { type: 'integer' } })],
        },
        Access: object({ access_token: { type: 'string' } }),
      },
    },
  )
}

const tokens = {
  '/tokens': {
    post: {
      operationId: 'tokens',
      security: [{ basic: [] }],
      responses: statuses({ '2XX': response({ $ref: '#/components/schemas/Token' }) }, 401),
    },
  },
}

/** Accepts requests with the credentials that the operation requires. */
function bankService(contract: object) {
  const takesBasic = (operation: string) => ['closeAll', 'tokens'].includes(operation)
  const isKnown = ({ headers }: Request, operation: string) => {
    const [scheme = '', value] = (headers.get('authorization') ?? '').split(' ')
    const wanted = takesBasic(operation) ? AUTHORIZATION : `Bearer ${TOKEN.token}`
    return wanted.toLowerCase().startsWith(scheme.toLowerCase()) && value === wanted.split(' ')[1]
  }
  const handlers = {
    closeAll: () => new Response(null, { status: 204 }),
    me: () => json(200, { id: 'fulano' }),
    tokens: () => json(201, { access_token: TOKEN.token, expiration: 300 }),
  }
  return createContractService(contract, handlers, { isKnown })
}

test('does not treat an operation without a token as a sign-in', async () => {
  const contract = bank()
  const { found, lines } = await judged(contract, bankService(contract), {
    credentials: TOKEN,
    target: 'live',
  })
  expect(found).toEqual([])
  expect(lines).toContain('GET /me')
  expect(lines.filter((it) => it.startsWith('POST /accounts/close-all'))).toEqual([])
})

test('sends a live service no creation as a sign-in, whatever its credentials', async () => {
  const contract = bank()
  const { lines } = await judged(contract, bankService(contract), { credentials: BASIC, target: 'live' })
  expect(lines.filter((it) => it.startsWith('POST'))).toEqual([])
})

test('tests operations with a token, and says why the others are not assessed', async () => {
  const contract = bank()
  const { found, unseen, rule } = await judged(contract, bankService(contract), { credentials: TOKEN })
  expect({ found, unseen }).toEqual({ found: [], unseen: ['closeAll'] })
  expect(rule('credentials-required')?.status).toBe('passed')
  const alone = await judged(contract, bankService(contract), { credentials: BASIC })
  expect({ found: alone.found, unseen: alone.unseen }).toEqual({ found: [], unseen: ['me'] })
})

test('tests operations that accept either kind of credentials', async () => {
  const contract = bank()
  const { found, unseen } = await judged(contract, bankService(contract), {
    credentials: { ...BASIC, ...TOKEN },
  })
  expect({ found, unseen }).toEqual({ found: [], unseen: [] })
})

test('signs in by an operation that returns a token, wherever its schema has it', async () => {
  const contract = bank(tokens)
  const { found, unseen, lines } = await judged(contract, bankService(contract), { credentials: BASIC })
  expect({ found, unseen }).toEqual({ found: [], unseen: [] })
  expect(lines[0]).toBe('POST /tokens')
})

test('does not sign in by an operation that needs a body', async () => {
  const {
    '/tokens': { post },
  } = tokens
  const requestBody = bodyOf(object({ grant: { const: 'client' } }))
  const contract = bank({ '/tokens': { post: { ...post, requestBody } } })
  const { found, unseen, lines } = await judged(contract, bankService(contract), { credentials: TOKEN })
  expect({ found, unseen }).toEqual({ found: [], unseen: ['closeAll', 'tokens'] })
  expect(lines).toContain('GET /me')
})

/** A contract with one operation and these security schemes. */
function meBy(schemes: object, security: readonly object[]): object {
  return contractOf(
    { '/me': { get: { operationId: 'me', security, responses: statuses({ 200: response(id) }, 401) } } },
    { securitySchemes: schemes, schemas: { Error: object({ error: { type: 'string' } }) } },
  )
}

const DIGEST = { digest: { type: 'http', scheme: 'digest' } }

test('sends nothing to an operation whose credentials it does not know, and says so', async () => {
  const contract = meBy(DIGEST, [{ digest: [] }])
  const service = createContractService(contract, {}, { isKnown: () => false })
  const { found, rule } = await judged(contract, service, { only: ['example-accepted'] })
  expect(found).toEqual([])
  expect(rule('example-accepted')?.reason).toBe('not sent: it needs an unsupported authentication scheme')
})

test('sends the token that is required together with mutual TLS', async () => {
  const schemes = { tls: { type: 'mutualTLS' }, oauth: { type: 'oauth2', flows: {} } }
  const contract = meBy(schemes, [{ tls: [], oauth: [] }])
  const { found, unseen } = await judged(contract, bankService(contract), { credentials: TOKEN })
  expect({ found, unseen }).toEqual({ found: [], unseen: [] })
})
