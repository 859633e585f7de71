import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { hashSecret } from '../src/auth/tokens.ts'
import type { State } from '../src/control/state.ts'
import { newFile } from './backends.ts'
import { type Ask, basic, createAsker, ORIGIN, PREFIX } from './callers.ts'
import { createSender, examples, findOperation, NOW, prepare } from './contract.ts'

const CLIENT_SECRET = 'canary-client-secret'

/** Secrets that at most one response may contain. Filled as they are issued. */
const secrets = new Set([CLIENT_SECRET, basic('partner', CLIENT_SECRET).slice('Basic '.length)])

/** Personal data: visible to its caller, but never in logs, metrics or observers. */
const PERSON = {
  name: 'Canaria de Tal',
  tax_id: '98765432100',
  email: 'canaria@canary.example',
  address_line: 'Rua Canaria',
  city: 'Canariopolis',
}
const NOTE = 'canary-note'
const GUESS = 'canary-guess'
const personal = [
  ...Object.values(PERSON),
  NOTE,
  GUESS,
  Buffer.from(`partner:${GUESS}`).toString('base64'),
]

/** What is written about requests and deliveries: logs, observer calls, metrics. */
const log: string[] = []
/** What the page and the control API show: the state with its personal data, but no secrets. */
const shown: string[] = []
/** Responses of the service, except for those that issue a secret. */
const responses: string[] = []
const refused: string[] = []

const file = newFile()
let app: App
let ask: Ask

/** A receiver that fails every second time, and echoes the request. */
let count = 0
const receiver = createServer((request, response) => {
  response.statusCode = ++count % 2 ? 500 : 200
  request.pipe(response)
})

beforeAll(async () => {
  recordOutput()
  await once(receiver.listen(0, '127.0.0.1'), 'listening')

  const record = (observed: unknown) => void log.push(JSON.stringify(observed, plainErrors))
  app = await createApp({
    verbose: true,
    checksResponses: true,
    allowLoopback: true,
    settleAfterMs: 1,
    file,
    now: () => Math.round(NOW + performance.now()),
    observe: { handled: record, attempted: record, failed: record },
  })
  const sql = 'UPDATE partners SET secret_hash = ? WHERE client_key = ?'
  await app.store.write((queries) => queries.run(sql, [hashSecret(CLIENT_SECRET), 'partner']))

  ask = recording(createAsker(app.fetch))
  await doEverything()
  await app.worker.idle()
  await app.worker.moveTo(app.clock.now() + 3_600_000)
  await readEverything()

  return async () => {
    vi.restoreAllMocks()
    await app.close()
    receiver.close()
  }
})

/** Records what this process would write. */
function recordOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      log.push(String(text))
      return true
    })
  }

  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...values) => {
      log.push(values.map(String).join(' '))
    })
  }
}

/** Errors would be {} in JSON. */
function plainErrors(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Error) return [value.name, value.message, value.stack, value.cause]
  return value
}

/** Records each response by whether it may contain a secret. */
function recording(send: Ask): Ask {
  return async (method, path, sent) => {
    const response = await send(method, path, sent)
    if (response.status >= 400) refused.push(response.text)

    const { access_token, refresh_token, secret, initiation_id } = response.body ?? {}
    const issued = [access_token, refresh_token, secret, initiation_id].filter(Boolean)
    for (const value of issued) secrets.add(value)
    if (issued.length === 0) responses.push(response.text)
    return response
  }
}

async function doEverything(): Promise<void> {
  const authorization = await signedIn(basic('partner', CLIENT_SECRET))
  const partner = recording(createAsker(app.fetch, authorization))

  const { port } = receiver.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/?note=${NOTE}`
  await partner('POST', '/partner/webhook', { body: { type: 'all', url } })

  const send = createSender(partner)
  for (const example of examples) {
    await send(example.id, await prepare(send, example))
    const { body, ...asked } = await prepare(send, example)
    await send(example.id, { ...asked, body: body && withCanaries(body) })
  }

  await partner('GET', `/pix/qrcode/dynamic/immediate?tax_id=${PERSON.tax_id}`)
  await fail(partner)
}

/** Replaces the strings that describe a person or a payment. */
function withCanaries(body: object): Record<string, unknown> {
  const canaries: Record<string, string> = { ...PERSON, message: NOTE, description: NOTE }
  return JSON.parse(JSON.stringify(body), (name, value) =>
    typeof value === 'string' ? (canaries[name] ?? value) : value,
  )
}

async function signedIn(authorization: string): Promise<string> {
  const { body } = await ask('POST', '/auth/partner/token/', { authorization })
  return `Bearer ${body.access_token}`
}

async function fail(partner: Ask): Promise<void> {
  await signedIn(basic('partner', GUESS))
  for (const authorization of [`Bearer ${GUESS}`, GUESS, `Basic ${GUESS}`])
    await ask('GET', '/partner/user', { authorization })
  await ask('GET', `/partner/user?token=${GUESS}`)

  for (const { path, body } of wrongBodies()) await partner('POST', path, { body })

  const query = `tax_id=${PERSON.email}&status=${NOTE}&limit=${GUESS}&cursor=${NOTE}`
  await partner('GET', `/pix/qrcode/dynamic/immediate?${query}`)

  const broken = { body: `{"dict_key":"${PERSON.email}`, headers: { 'x-note': NOTE } }
  await partner('POST', '/pix/dict/check/', broken)
  const other = { body: PERSON.email, headers: { 'content-type': `text/${NOTE}` } }
  await partner('POST', '/pix/dict/check/', other)

  await breakStore(partner)
}

/**
 * Each example with a canary in every place, as the right type and as another, and what fails
 * later.
 */
function wrongBodies(): Wrong[] {
  const { name, tax_id, email } = PERSON
  const transfer = {
    type: 'dict',
    amount: '1.00',
    dict_key: email,
    initiation_id: `ini_${GUESS}`,
    description: NOTE,
    beneficiary: { name },
  }
  const urls = [
    `https://a:${GUESS}@a.example/`,
    `https://10.0.0.1/?${GUESS}`,
    `https://${GUESS}.invalid/#${NOTE}`,
  ]
  return [
    ...examplesWith(name),
    ...examplesWith([NOTE]),
    ...examplesWith({ name: tax_id }),
    { path: '/pix/dict/check/', body: { dict_key: tax_id } },
    { path: '/partner/webhook', body: { type: NOTE, url: name } },
    { path: '/pix/out/', body: transfer },
    { path: '/pix/brcode/emv/', body: { emv: `000201${tax_id}6304ABCD` } },
    ...urls.map((url) => ({ path: '/partner/webhook', body: { type: 'all', url } })),
  ]
}

interface Wrong {
  readonly path: string
  readonly body: object
}

/** The example of each POST with a canary in place of every string, and an unknown field. */
function examplesWith(canary: unknown): Wrong[] {
  const replace = (key: string, value: unknown) =>
    typeof value === 'string' && key !== 'type' ? canary : value

  const changed: Wrong[] = []
  for (const { id, body } of examples) {
    const { method, path } = findOperation(id)
    if (method !== 'POST' || !body) continue

    const text = JSON.stringify({ ...body, [GUESS]: '' })
    changed.push({ path: path.replace(PREFIX, ''), body: JSON.parse(text, replace) })
  }
  return changed
}

/** Makes the store fail. Its message may quote what was written. */
async function breakStore(partner: Ask): Promise<void> {
  await app.store.write((queries) => queries.run('ALTER TABLE keys RENAME TO no_keys'))
  const { status, body } = await partner('POST', '/pix/dict/check/', {
    body: { dict_key: PERSON.email },
  })
  expect(status).toBe(500)
  expect(body.code).toBe('internal_error')

  await app.store.write((queries) => queries.run('ALTER TABLE no_keys RENAME TO keys'))
}

/** Reads everything that needs no credentials: each GET of the page and the control API. */
async function readEverything(): Promise<void> {
  for (const path of servedPaths()) {
    const texts = path === '/_sandbox/metrics' ? log : shown
    texts.push(await read(path))
  }

  const { requests } = JSON.parse(await read('/_sandbox/state')) as State
  const { data } = JSON.parse(await read('/_sandbox/events')) as { data: { id: string }[] }
  expect(requests.length + data.length).toBeGreaterThan(20)

  for (const { request_id } of requests) shown.push(await read(`/_sandbox/requests/${request_id}`))
  for (const { id } of data) shown.push(await read(`/_sandbox/events/${id}`))
}

async function read(path: string): Promise<string> {
  const response = await app.fetch(new Request(ORIGIN + path))
  expect(response.status, path).toBe(200)

  return response.text()
}

/** The paths without parameters that the source routes, but for the stream, which has no data. */
function servedPaths(): string[] {
  const files = globSync('../src/{control,operation,page}/**/*.ts', { cwd: import.meta.dirname })
  const paths = ['/']
  for (const name of files) {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8')
    for (const [, route] of text.matchAll(/\.get\(\s*'(\/[^':]*)',/g))
      if (route !== '/' && route !== '/stream') paths.push(`/_sandbox${route}`)
  }
  return paths
}

test('everything happened: every operation, failures and deliveries, with log lines', () => {
  expect(secrets.size).toBeGreaterThan(8)
  expect(refused.length).toBeGreaterThan(25)
  // The one that was made to fail. Another one would mean that a response was not tested.
  expect(refused.filter((text) => text.includes('internal_error'))).toHaveLength(1)
  expect(log.join('\n')).toMatch(/"operation":"createTransfer"/)
  expect(log.join('\n')).toMatch(/"event_id"/)
  expect(shown.length).toBeGreaterThan(3)
  expect(servedPaths()).toContain('/_sandbox/metrics')
})

const RULES = [
  {
    title: 'no secret is in logs, metrics, the control API or the page',
    texts: () => [...log, ...shown],
    needles: secrets,
  },
  {
    title: 'no secret is in a response except the one that issues it',
    texts: () => responses,
    needles: secrets,
  },
  {
    title: 'nothing personal is in a refusal',
    texts: () => refused,
    needles: personal,
  },
  {
    title: 'nothing personal is in logs or metrics',
    texts: () => log,
    needles: personal,
  },
]

for (const { title, texts, needles } of RULES) {
  test(title, () => {
    const hits: string[] = []
    for (const needle of needles) {
      for (const text of texts()) {
        if (text.includes(needle)) hits.push(`${needle} in ${text.slice(0, 300)}`)
      }
    }
    expect(hits).toEqual([])
  })
}

test('the state contains only hashes of tokens and client secrets', () => {
  const bytes = globSync(`${file}*`).map((name) => readFileSync(name, 'latin1'))
  // Webhook secrets sign, so they are stored unhashed.
  const hidden = [...secrets].filter((secret) => !secret.startsWith('whsec_'))
  const stored = hidden.filter((secret) => bytes.some((text) => text.includes(secret)))
  expect(stored).toEqual([])
  expect(bytes.join('')).toContain(hashSecret(CLIENT_SECRET))
})
