import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type RunningMock, serve } from '@partner-payments/mock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isNode, type Operation, operationsOf, resolve } from '../build/contract.ts'

import { type Recorded, type Recorder, record } from './recorder.ts'
import { contract } from './site.ts'

const folder = fileURLToPath(new URL('../samples/', import.meta.url))
const standIn = fileURLToPath(new URL('bin', import.meta.url))
const operations = operationsOf(contract)
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
    await run(file, (await hasCurl) ? process.env.PATH : withStandIn())
    expectTrue(file, recorder.take())
  })
})

test('the stand-in for curl sends what curl sends', async () => {
  for (const file of ['signIn.sh', 'createTransfer.sh', 'deleteWebhook.sh']) {
    await run(file, withStandIn())
    expectTrue(file, recorder.take())
  }
})

test.each(['sh', 'ts'])('a sample in %s fails where the service refuses', async (extension) => {
  const refused = run(`getUser.${extension}`, (await hasCurl) ? process.env.PATH : withStandIn(), {
    ACCESS_TOKEN: '',
    BASE_URL: `${recorder.url}/nowhere`,
  })
  await expect(refused).rejects.toMatchObject({ code: extension === 'sh' ? 22 : 1 })
})

const execute = promisify(execFile)
const hasCurl = execute('curl', ['--version']).then(
  () => true,
  () => false,
)

function withStandIn(): string {
  return [standIn, process.env.PATH].join(delimiter)
}

function run(file: string, PATH: string | undefined, env: Record<string, string> = {}) {
  const [command, ...flags] = file.endsWith('.sh') ? ['sh'] : [process.execPath]
  const credentials = { CLIENT_KEY: 'key', CLIENT_SECRET: 'secret', ACCESS_TOKEN: 'token' }
  return execute(command ?? '', [...flags, folder + file], {
    env: { ...process.env, PATH, BASE_URL: recorder.url, ...credentials, ...env },
  })
}

function expectTrue(file: string, [request, ...more]: Recorded[]): void {
  const operation = operations.find(({ node }) => node.operationId === file.split('.')[0])
  if (!operation || !request) throw new Error(`${file} sent nothing, or belongs to no operation`)
  expect(more).toEqual([])
  expect(request.method).toBe(operation.method.toUpperCase())
  expect(request.path.replace(/\?.*/, '')).toMatch(pathPattern(operation))
  expect(request.authorization).toBe(
    file.startsWith('signIn.') ? `Basic ${btoa('key:secret')}` : 'Bearer token',
  )
  const examples = requestExamples(operation)
  if (examples.length === 0) expect(request.body).toBe('')
  else expect(examples).toContainEqual(JSON.parse(request.body))
}

/** Slashes count: two paths of this service differ by the last one alone. */
function pathPattern({ path }: Operation): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function requestExamples({ node }: Operation): unknown[] {
  if (!isNode(node.requestBody)) return []
  const content = node.requestBody.content as Record<string, { examples: Record<string, { $ref: string }> }>
  return Object.values(content['application/json']?.examples ?? {}).map(
    ({ $ref }) => resolve(contract, $ref).value,
  )
}
