import { expect, test } from 'vitest'
import { judged } from './foreign/judged.ts'
import { bodyOf, contractOf, createKeeper, json, object, response, statuses } from './foreign/keeper.ts'

const BASIC = { clientKey: 'fulano', clientSecret: 'secret-of-fulano' }
const TOKEN = { token: 'token-of-fulano' }
const AUTHORIZATION = `Basic ${btoa('fulano:secret-of-fulano')}`

const id = object({ id: { type: 'string' } })

/** Some operations take a key and a secret, some a token. */
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

/** Lets in who has the credentials that the operation asks for. */
function bankService(contract: object) {
  const takesBasic = (operation: string) => ['closeAll', 'tokens'].includes(operation)
  const isKnown = ({ headers }: Request, operation: string) => {
    const [scheme = '', value] = (headers.get('authorization') ?? '').split(' ')
    const wanted = takesBasic(operation) ? AUTHORIZATION : `Bearer ${TOKEN.token}`
    return wanted.toLowerCase().startsWith(scheme.toLowerCase()) && value === wanted.split(' ')[1]
  }
  const answers = {
    closeAll: () => new Response(null, { status: 204 }),
    me: () => json(200, { id: 'fulano' }),
    tokens: () => json(201, { access_token: TOKEN.token, expiration: 300 }),
  }
  return createKeeper(contract, answers, { isKnown })
}

test('takes no operation for a sign-in that gives no token', async () => {
  const contract = bank()
  const { found, lines } = await judged(contract, bankService(contract), {
    credentials: TOKEN,
    target: 'live',
  })
  expect(found).toEqual([])
  expect(lines).toContain('GET /me')
  expect(lines.filter((it) => it.startsWith('POST /accounts/close-all'))).toEqual([])
})

test('sends a live service no creation for a sign-in, whatever its credentials', async () => {
  const contract = bank()
  const { lines } = await judged(contract, bankService(contract), { credentials: BASIC, target: 'live' })
  expect(lines.filter((it) => it.startsWith('POST'))).toEqual([])
})

test('runs with a token what takes a token, and says why the rest is not assessed', async () => {
  const contract = bank()
  const { found, unseen, rule } = await judged(contract, bankService(contract), { credentials: TOKEN })
  expect({ found, unseen }).toEqual({ found: [], unseen: ['closeAll'] })
  expect(rule('credentials-required')?.status).toBe('passed')
  const alone = await judged(contract, bankService(contract), { credentials: BASIC })
  expect({ found: alone.found, unseen: alone.unseen }).toEqual({ found: [], unseen: ['me'] })
})

test('runs with both what takes the one or the other', async () => {
  const contract = bank()
  const { found, unseen } = await judged(contract, bankService(contract), {
    credentials: { ...BASIC, ...TOKEN },
  })
  expect({ found, unseen }).toEqual({ found: [], unseen: [] })
})

test('signs in by what gives a token, wherever its schema says so', async () => {
  const contract = bank(tokens)
  const { found, unseen, lines } = await judged(contract, bankService(contract), { credentials: BASIC })
  expect({ found, unseen }).toEqual({ found: [], unseen: [] })
  expect(lines[0]).toBe('POST /tokens')
})

test('signs in by nothing that needs a body, which it does not know', async () => {
  const {
    '/tokens': { post },
  } = tokens
  const requestBody = bodyOf(object({ grant: { const: 'client' } }))
  const contract = bank({ '/tokens': { post: { ...post, requestBody } } })
  const { found, unseen, lines } = await judged(contract, bankService(contract), { credentials: TOKEN })
  expect({ found, unseen }).toEqual({ found: [], unseen: ['closeAll', 'tokens'] })
  expect(lines).toContain('GET /me')
})

/** The contract of who I am, by these schemes. */
function meBy(schemes: object, security: readonly object[]): object {
  return contractOf(
    { '/me': { get: { operationId: 'me', security, responses: statuses({ 200: response(id) }, 401) } } },
    { securitySchemes: schemes, schemas: { Error: object({ error: { type: 'string' } }) } },
  )
}

const DIGEST = { digest: { type: 'http', scheme: 'digest' } }

test('sends nothing to an operation whose credentials it does not know, and says so', async () => {
  const contract = meBy(DIGEST, [{ digest: [] }])
  const service = createKeeper(contract, {}, { isKnown: () => false })
  const { found, rule } = await judged(contract, service, { only: ['example-accepted'] })
  expect(found).toEqual([])
  expect(rule('example-accepted')?.reason).toBe('not sent: it needs an unsupported authentication scheme')
})

test('sends the token that goes with what the connection proves', async () => {
  const schemes = { tls: { type: 'mutualTLS' }, oauth: { type: 'oauth2', flows: {} } }
  const contract = meBy(schemes, [{ tls: [], oauth: [] }])
  const { found, unseen } = await judged(contract, bankService(contract), { credentials: TOKEN })
  expect({ found, unseen }).toEqual({ found: [], unseen: [] })
})
