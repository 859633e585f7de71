import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sample } from '@partner-payments/campaign'
import { expect, test } from 'vitest'
import { serveTransport } from '../../src/mutation/fault-proxy.ts'
import type { Access } from '../../src/transport/credentials.ts'
import { command, PROGRESS } from '../cli/command.ts'
import { checkInProcess, inProcess } from '../in-process-transport.ts'
import { judged } from './check-service.ts'
import { todos } from './todos-contract.ts'
import { createTodos, KEY, TOKEN } from './todos-service.ts'

const BASIC = { clientKey: 'fulano', clientSecret: 'secret-of-fulano' }

/** The contract of todos, with another security scheme. */
const securedBy = (scheme: object) => ({
  ...todos,
  components: { ...todos.components, securitySchemes: { token: scheme } },
})

const keyIn = (place: string) => securedBy({ type: 'apiKey', in: place, name: KEY })
type Secured = ReturnType<typeof securedBy>
type Way = [string, Secured, (request: Request) => boolean, Access]
const WAYS: readonly Way[] = [
  ['a key in a header', keyIn('header'), ({ headers }) => headers.get(KEY) === TOKEN, { token: TOKEN }],
  [
    'a key in the query',
    keyIn('query'),
    ({ url }) => new URL(url).searchParams.get(KEY) === TOKEN,
    { token: TOKEN },
  ],
  [
    'a key in a cookie',
    keyIn('cookie'),
    ({ headers }) => headers.get('cookie') === `${KEY}=${TOKEN}`,
    { token: TOKEN },
  ],
  [
    'HTTP Basic for each request',
    securedBy({ type: 'http', scheme: 'basic' }),
    ({ headers }) => sent(headers, 'basic') === btoa('fulano:secret-of-fulano'),
    BASIC,
  ],
  [
    'a token that OAuth gave',
    securedBy({ type: 'oauth2', flows: {} }),
    ({ headers }) => sent(headers, 'bearer') === TOKEN,
    { token: TOKEN },
  ],
]

/** The value of an Authorization header after its scheme, whose name is case-insensitive (RFC 9110, section 11.1). */
function sent(headers: Headers, scheme: string): string | undefined {
  const [name, value] = headers.get('authorization')?.split(' ') ?? []
  return name?.toLowerCase() === scheme ? value : undefined
}

/** The name of a security scheme in the challenge. API keys have their own names. */
function challengeOf({ components }: Secured): string {
  const { scheme } = components.securitySchemes.token as { scheme?: string }
  return scheme === 'basic' ? 'Basic realm="todos"' : 'Bearer'
}

test.each(sample(WAYS))(
  'finds nothing in a service that asks for %s, and its rules of access are held',
  async (_, contract, isKnown, credentials) => {
    const challenge = challengeOf(contract)
    const service = createTodos(undefined, { contract, isKnown, challenge })
    const { found, rule } = await judged(contract, service, { credentials })
    expect(found).toEqual([])
    const held = ['credentials-required', 'credentials-required', 'record-changes'].map(
      (id) => rule(id).status,
    )
    expect(held).toEqual(['passed', 'passed', 'passed'])
  },
)

test.each(sample(WAYS))(
  'finds a service that asks for %s and lets anyone in, and shows no secret',
  async (_, contract, __, credentials) => {
    const transport = inProcess(createTodos(undefined, { contract }))
    const only = ['credentials-required', 'credentials-required', 'undeclared-fields']
    const { findings } = await checkInProcess(transport, { contract, credentials, only })
    expect(new Set(findings.map(({ kind, rule }) => `${kind} ${rule}`))).toEqual(
      new Set(['failure credentials-required', 'failure credentials-required']),
    )
    expect(JSON.stringify(findings)).not.toMatch(/todo-token-0001|secret-of-fulano/)
  },
)

test('sends a live service with HTTP Basic only what can be undone', async () => {
  const contract = securedBy({ type: 'http', scheme: 'basic' })
  const service = createTodos(undefined, { contract })
  const sent: string[] = []
  const transport = inProcess((request) => {
    sent.push(`${request.method} ${new URL(request.url).pathname}`)
    return service(request)
  })
  await checkInProcess(transport, {
    contract,
    credentials: BASIC,
    target: 'live',
    rate: 10_000,
    only: ['invalid requests'],
  })
  expect(sent).toContain('POST /todos')
  expect(sent).not.toContain('POST /users')
})

const wrong: readonly [string, object, Access, string][] = [
  ['a token is asked for', todos, BASIC, 'asks for a token, and a key and a secret were given'],
  [
    'a sign-in is',
    undefined as never,
    { token: TOKEN },
    'asks for a key and a secret, and a token was given',
  ],
  [
    'nobody lets the token in',
    todos,
    { token: 'another-token' },
    'the token was refused with 401, for example by todos: is it right, and not expired?',
  ],
]

test.each(wrong)(
  'cannot run with the wrong kind of access where %s',
  async (_, contract, credentials, words) => {
    const transport = inProcess(createTodos(TOKEN))
    const run = checkInProcess(transport, { ...(contract && { contract }), credentials })
    await expect(run).rejects.toThrow(words)
  },
)

test('reads a token only from the environment, and says so', async () => {
  const spec = join(mkdtempSync(join(tmpdir(), 'todos-')), 'openapi.json')
  writeFileSync(spec, JSON.stringify(todos))
  const { url, close } = await serveTransport(inProcess(createTodos(TOKEN)))
  const args = ['--target', url, '--spec', spec, '--kind', 'sandbox', '--only', 'credentials-required']
  const right = await command(args, { TOKEN })
  const none = await command(args, {})
  const pair = await command(args, { CLIENT_KEY: 'fulano', CLIENT_SECRET: 'secret' })
  const half = await command(args, { TOKEN, OTHER_TOKEN: '' })
  await close()
  expect(right).toMatchObject({ code: 0, stderr: expect.stringMatching(PROGRESS) })
  expect(half.code).toBe(0)
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('set TOKEN in the environment') })
  expect(pair.stderr).toContain('asks for a token, and a key and a secret were given; set TOKEN')
})

test('sends the token of a second partner', async () => {
  const mine = new Map<string, string>()
  const service = createTodos(undefined, { isKnown: ({ headers }) => headers.has('authorization') })
  const transport = inProcess(async (request) => {
    const who = request.headers.get('authorization') ?? ''
    const path = new URL(request.url).pathname
    if (mine.has(path) && mine.get(path) !== who)
      return Response.json({ error: 'there is none' }, { status: 404 })
    const response = await service(request)
    if (response.status === 201) mine.set(`${path}/${idIn(await response.clone().json())}`, who)
    return response
  })
  const { rules, findings } = await checkInProcess(transport, {
    contract: todos,
    credentials: { token: TOKEN },
    other: { token: 'another-token' },
    only: ['foreign-record-hidden'],
  })
  expect(findings).toEqual([])
  expect(rules.find(({ rule }) => rule === 'foreign-record-hidden')?.status).toBe('passed')
})

function idIn(body: unknown): string {
  return String((body as { id: number }).id)
}
