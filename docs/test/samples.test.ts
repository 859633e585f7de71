import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parser } from '@lezer/python'
import { type RunningMock, serve } from '@partner-payments/mock'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { inline, isNode, mediaOf, type Operation, operationsOf, resolve } from '../build/contract.ts'

import { readSamples, requestExamples, type Sample } from '../build/samples.ts'
import { type Recorded, type Recorder, record } from './recorder.ts'
import { whole } from './site.ts'

const folder = fileURLToPath(new URL('../samples/', import.meta.url))
const standIn = fileURLToPath(new URL('bin', import.meta.url))
const operations = operationsOf(inline(whole))
const partnerToken = tokenOf(resolve(whole, '#/components/examples/partnerTokens').value)
const files = await readdir(folder)

let mock: RunningMock
let recorder: Recorder

beforeAll(async () => {
  mock = await serve({ port: 0 })
  recorder = await record(mock.url)
})

afterAll(async () => {
  await recorder.close()
  await mock.close()
})

beforeEach(() => {
  recorder.take()
})

test('every operation has a sample in curl and in TypeScript, and nothing else is there', () => {
  const names = new Set(files.map((file) => file.replace(/\.code\.sh$/, '.sh')))
  expect([...names].sort()).toEqual(
    operations.flatMap(({ node }) => [`${node.operationId}.sh`, `${node.operationId}.ts`]).sort(),
  )
})

describe.each(files)('%s', (file) => {
  test('sends the request of an example of the contract, and is answered with success', async () => {
    await (file.endsWith('.ts')
      ? runHere(file)
      : run(file, (await hasCurl) ? process.env.PATH : withStandIn()))
    expectTrue(file, recorder.take())
  })
})

test('a sample in TypeScript is a program of its own too', async () => {
  await run('createTransfer.ts', process.env.PATH)
  expectTrue('createTransfer.ts', recorder.take())
})

test('the stand-in for curl sends what curl sends', async () => {
  for (const file of ['signIn.sh', 'createTransfer.sh', 'deleteWebhook.sh']) {
    await run(file, withStandIn())
    expectTrue(file, recorder.take())
  }
})

test.each([
  ['the service refuses', { BASE_URL: '/nowhere' }, 1, /not_found|404/],
  ['CLIENT_KEY is empty', { CLIENT_KEY: '' }, 0, /"auth" must have clientKey/],
])('a sample in TypeScript fails where %s', async (_, env, requests, message) => {
  const BASE_URL = recorder.url + ('BASE_URL' in env ? env.BASE_URL : '')
  const refused = run('getUser.ts', process.env.PATH, { ...env, BASE_URL })
  await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) })
  expect(recorder.take()).toHaveLength(requests)
})

describe('the samples in Python', () => {
  const samples = () => readSamples(operations)

  test('are Python', async () => {
    expect(errorsIn('print(')).not.toEqual([])
    for (const [id, all] of await samples()) expect(errorsIn(pythonOf(all)), id).toEqual([])
  })

  test('send what curl sends, the other examples included, where the machine has Python', async () => {
    const all = await samples()
    const programs = operations.flatMap((operation) => {
      const { operationId } = operation.node
      const own = all.get(operationId) ?? []
      const others = requestExamples(operation, own).filter(({ isSample }) => !isSample)
      return [own, ...others.map((it) => it.samples)].map((it) => ({ operationId, source: pythonOf(it) }))
    })
    if (!(await hasPython)) return
    await runPython(programs.map(({ source }) => source))
    const sent = recorder.take()
    expect(sent).toHaveLength(programs.length)
    for (const [index, { operationId }] of programs.entries())
      expectTrue(`${operationId}.py`, sent.slice(index, index + 1))
  })

  test.each([
    ['the service refuses', { BASE_URL: '/nowhere' }, /HTTPStatusError/],
    ['CLIENT_KEY is empty', { CLIENT_KEY: '' }, /^CLIENT_KEY is not set. Run: export CLIENT_KEY=partner\n$/],
  ])('fail where %s', async (_, env, message) => {
    if (!(await hasPython)) return
    const source = pythonOf((await samples()).get('signIn') ?? [])
    const BASE_URL = recorder.url + ('BASE_URL' in env ? env.BASE_URL : '')
    await expect(runPython([source], { ...env, BASE_URL })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(message),
    })
  })
})

function pythonOf(samples: readonly Sample[]): string {
  return samples.find(({ lang }) => lang === 'Python')?.source ?? ''
}

/** Where a program is no Python. */
function errorsIn(source: string): number[] {
  const errors: number[] = []
  parser.parse(source).iterate({ enter: ({ type, from }) => void (type.isError && errors.push(from)) })
  return errors
}

/** One process for all: each takes a third of a second to start. The stand-in comes last, so that the real httpx is taken. */
async function runPython(sources: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const main =
    'import json, sys; sys.path.append(sys.argv[1])\nfor it in json.loads(sys.argv[2]): exec(it, {})'
  await execute('python3', ['-c', main, standIn, JSON.stringify(sources)], {
    env: { ...process.env, BASE_URL: recorder.url, ...credentials, PYTHONDONTWRITEBYTECODE: '1', ...env },
  })
}

const execute = promisify(execFile)
const has = (command: string) =>
  execute(command, ['--version']).then(
    () => true,
    () => false,
  )
const hasCurl = has('curl')
const hasPython = has('python3')

function withStandIn(): string {
  return [standIn, process.env.PATH].join(delimiter)
}

const credentials = { CLIENT_KEY: 'key', CLIENT_SECRET: 'secret', ACCESS_TOKEN: 'token' }

/** Runs a sample in this process: one of its own takes a third of a second each. */
async function runHere(file: string): Promise<void> {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  for (const [name, value] of Object.entries({ ...credentials, BASE_URL: recorder.url }))
    vi.stubEnv(name, value)
  try {
    await import(folder + file)
  } finally {
    vi.unstubAllEnvs()
    printed.mockRestore()
  }
}

function run(file: string, PATH: string | undefined, env: Record<string, string> = {}) {
  const [command, ...flags] = file.endsWith('.sh') ? ['sh'] : [process.execPath]
  return execute(command ?? '', [...flags, folder + file], {
    env: { ...process.env, PATH, BASE_URL: recorder.url, ...credentials, ...env },
  })
}

/** The requests of a sample: its own is the last, and all of them are those of the contract. */
function expectTrue(file: string, requests: Recorded[]): void {
  const [operationId = ''] = file.split('.')
  const byClient = file.endsWith('.ts')
  const before = byClient ? beforehand(operationId) : []
  expect(requests.map((request) => operationOf(request)?.node.operationId)).toEqual([...before, operationId])
  for (const request of requests) expectExample(request, byClient ? partnerToken : 'token')
}

/** What the client sends by itself, and the look-up that a payment to a key begins with. */
function beforehand(operationId: string): string[] {
  if (operationId === 'signIn') return []
  const lookUps: Readonly<Record<string, string>> = {
    createTransfer: 'checkKey',
    guideCreateTransfer: 'guideCheckKey',
  }
  return ['signIn', lookUps[operationId] ?? []].flat()
}

function operationOf({ method, path }: Recorded): Operation | undefined {
  const [bare = ''] = path.split('?')
  const ofMethod = operations.filter((operation) => operation.method.toUpperCase() === method)
  return ofMethod.find((operation) => pathPattern(operation).test(bare))
}

function expectExample(request: Recorded, token: string): void {
  const operation = operationOf(request)
  if (!operation) throw new Error(`the contract has no ${request.method} ${request.path}`)
  const isSignIn = operation.node.operationId === 'signIn'
  expect(request.authorization).toBe(isSignIn ? `Basic ${btoa('key:secret')}` : `Bearer ${token}`)
  const examples = exampleBodies(operation)
  if (examples.length === 0) expect(request.body).toBe('')
  else expect(examples).toContainEqual(JSON.parse(request.body))
}

/** Slashes count: two paths of this service differ by the last one alone. */
function pathPattern({ path }: Operation): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function tokenOf(tokens: unknown): string {
  return (tokens as { access_token: string }).access_token // the contract's lint holds examples to their schemas
}

function exampleBodies({ node }: Operation): unknown[] {
  return Object.values(Object(mediaOf(node.requestBody).examples)).map(
    (example) => isNode(example) && example.value,
  )
}

test('the requests of the other examples on the page of an operation run too', async () => {
  const createTransfer = operations.find(({ node }) => node.operationId === 'createTransfer') as Operation
  const source = await readFile(join(folder, 'createTransfer.sh'), 'utf8')
  const examples = requestExamples(createTransfer, [{ lang: 'Shell', label: 'curl', source }])
  expect(examples.filter(({ isSample }) => isSample).map(({ name }) => name)).toEqual(['payKey'])
  const scratch = await mkdtemp(join(tmpdir(), 'samples-'))
  for (const { name, samples } of examples) {
    await writeFile(join(scratch, `${name}.sh`), samples[0]?.source ?? '')
    await execute('sh', [join(scratch, `${name}.sh`)], {
      env: {
        PATH: (await hasCurl) ? process.env.PATH : withStandIn(),
        BASE_URL: recorder.url,
        ...credentials,
      },
    })
    expectTrue('createTransfer.sh', recorder.take())
  }
  await rm(scratch, { recursive: true })
})

test('the program of the landing page prints what the page says', async () => {
  const first = fileURLToPath(new URL('../home/first.ts', import.meta.url))
  const { stdout } = await execute(process.execPath, [first], {
    env: { ...process.env, BASE_URL: recorder.url },
  })
  expect(stdout).toBe(await readFile(first.replace('.ts', '.txt'), 'utf8'))
  expect((await readFile(first, 'utf8')).trim().split('\n').filter(Boolean).length).toBeLessThanOrEqual(10)
})
