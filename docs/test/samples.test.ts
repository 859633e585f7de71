import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { parser } from '@lezer/python'
import { createMock } from '@partner-payments/mock'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { inline, type Operation, operationsOf, requireComponent } from '../build/contract.ts'
import { moveDates } from '../build/example-dates.ts'
import { createSamples, requestExamples, type Sample } from '../build/samples.ts'
import { hasPython, runPython, runShell } from './programs.ts'
import { listen } from './serve.ts'
import { behaviour, whole } from './site.ts'

const docs = fileURLToPath(new URL('..', import.meta.url))
const execute = promisify(execFile)
const operations = operationsOf(inline(whole), behaviour)
const partnerToken = tokenOf(requireComponent(whole, '#/components/examples/partnerTokens').value)
const samples = new Map(operations.map((operation) => [operation.id, createSamples(operation)]))

/** What a program sent. */
interface Recorded {
  readonly method: string
  readonly path: string
  readonly authorization: string | null
  readonly body: string
}

const mock = await createMock()
const recorded: Recorded[] = []
const take = () => recorded.splice(0)
/** A mock that records what it gets. */
const { url: baseUrl, close } = await listen(respond)
afterAll(close)
const credentials = { CLIENT_KEY: 'key', CLIENT_SECRET: 'secret', ACCESS_TOKEN: 'token' }
const env = { ...credentials, BASE_URL: baseUrl }
beforeEach(() => void take())

async function respond(request: Request): Promise<Response> {
  const { method, headers } = request
  const { pathname, search } = new URL(request.url)
  const body = await request.clone().text()
  recorded.push({
    method,
    path: pathname + search,
    authorization: headers.get('authorization'),
    body,
  })
  return mock.fetch(request)
}

test('every operation has a sample in TypeScript, which sends the request of an example of the contract', async () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  // Where Node finds the client, as in the project of a reader who copies it.
  const folder = mkdtempSync(join(docs, 'node_modules/.samples-'))
  for (const [id, own] of samples) {
    const file = join(folder, `${id}.mjs`)
    writeFileSync(file, sourceOf(own, 'TypeScript'))
    await import(pathToFileURL(file).href)
    expectByClient(id, take())
  }
  rmSync(folder, { recursive: true })
  vi.unstubAllEnvs()
  printed.mockRestore()
})

/** The programs that are made of the contract: those of each operation, for all of its examples. */
const programs = operations.flatMap((operation) => {
  const { id: operationId } = operation
  const examples = requestExamples(operation)
  const withoutExamples = [{ samples: samples.get(operationId) ?? [] }]
  const variants = examples.length > 0 ? examples : withoutExamples
  return variants.map((variant) => ({
    operationId,
    curl: sourceOf(variant.samples, 'curl'),
    python: sourceOf(variant.samples, 'Python'),
  }))
})

test.for([
  {
    language: 'curl',
    canRun: async () => true,
    runAll: () =>
      runShell(
        programs.map(({ curl }) => curl),
        { env },
      ),
  },
  {
    language: 'Python',
    canRun: () => hasPython,
    runAll: () =>
      runPython(
        programs.map(({ python }) => python),
        { env },
      ),
  },
])('each request in $language is an example of the contract', async (program, { skip }) => {
  const { canRun, runAll } = program
  skip(!(await canRun()), 'this machine cannot run it')
  await runAll()
  const requests = take()
  expect(idsOf(requests)).toEqual(programs.map(({ operationId }) => operationId))
  for (const request of requests) expectExample(request, 'token')
})

test('the samples in Python are Python', () => {
  expect(errorsIn('print(')).not.toEqual([])
  for (const { operationId, python } of programs) expect(errorsIn(python), operationId).toEqual([])
})

test.for([
  {
    cause: 'the service refuses',
    changed: { BASE_URL: `${baseUrl}/nowhere` },
    message: /HTTPStatusError/,
  },
  {
    cause: 'CLIENT_KEY is empty',
    changed: { CLIENT_KEY: '' },
    message: /^CLIENT_KEY is not set. Run: export CLIENT_KEY=partner\n$/,
  },
])('a sample in Python fails where $cause', async ({ changed, message }, { skip }) => {
  skip(!(await hasPython), 'this machine has no Python with what the samples import')
  const source = sourceOf(samples.get('signIn') ?? [], 'Python')
  const refused = runPython([source], { env: { ...env, ...changed } })
  await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) })
})

function sourceOf(samples: readonly Sample[], language: string): string {
  return samples.find(({ lang }) => lang === language)?.source ?? ''
}

/** Where a program is no Python. */
function errorsIn(source: string): number[] {
  const errors: number[] = []
  parser.parse(source).iterate({
    enter({ type, from }) {
      if (type.isError) errors.push(from)
    },
  })
  return errors
}

const LOOK_UPS = new Map([
  ['createTransfer', 'checkKey'],
  ['guideCreateTransfer', 'guideCheckKey'],
])

/** The client signs in before its first request, and looks up a key before it pays it. */
function expectByClient(operationId: string, requests: Recorded[]): void {
  const lookUp = LOOK_UPS.get(operationId)
  const own = lookUp ? [lookUp, operationId] : [operationId]
  expect([own, ['signIn', ...own]]).toContainEqual(idsOf(requests))
  for (const request of requests) expectExample(request, partnerToken)
}

function idsOf(requests: Recorded[]) {
  return requests.map((request) => operationOf(request)?.id)
}

function operationOf({ method, path }: Recorded): Operation | undefined {
  const [bare = ''] = path.split('?')
  const ofMethod = operations.filter((operation) => operation.method === method)
  return ofMethod.find((operation) => pathPattern(operation).test(bare))
}

function expectExample(request: Recorded, token: string): void {
  const operation = operationOf(request)
  if (!operation) throw new Error(`the contract has no ${request.method} ${request.path}`)
  const isSignIn = operation.scheme === 'basic'
  expect(request.authorization).toBe(isSignIn ? `Basic ${btoa('key:secret')}` : `Bearer ${token}`)
  const examples = exampleBodies(operation)
  const bodies = examples.length === 0 ? [''] : examples
  expect(bodies).toContainEqual(request.body && JSON.parse(request.body))
}

/** Slashes count: two paths of this service differ by the last one alone. */
function pathPattern({ path }: Operation): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function tokenOf(tokens: unknown): string {
  // The contract's lint holds examples to their schemas.
  return (tokens as { access_token: string }).access_token
}

function exampleBodies({ request }: Operation): unknown[] {
  const bodies = (request?.examples ?? []).map(({ value }) => value)
  return moveDates(bodies, Date.now())
}

test('the program of the landing page prints what the page says', async () => {
  const first = fileURLToPath(new URL('../home/first.ts', import.meta.url))
  const { stdout } = await execute(process.execPath, [first], {
    env: { ...process.env, BASE_URL: baseUrl },
  })
  expect(stdout).toBe(await readFile(first.replace('.ts', '.txt'), 'utf8'))

  const program = await readFile(first, 'utf8')
  const lines = program.trim().split('\n').filter(Boolean)
  expect(lines.length).toBeLessThanOrEqual(10)
})
