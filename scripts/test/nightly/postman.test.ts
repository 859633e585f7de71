import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { serve as serveMock } from '@partner-payments/mock'
import { serve as serveSandbox } from '@partner-payments/sandbox'
import { listOperations } from '@partner-payments/spec/build'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { createExports } from '../../exports.ts'

const NEWMAN = join(import.meta.dirname, '../../tools/node_modules/newman/bin/newman.js')
const folder = mkdtempSync(join(tmpdir(), 'postman-'))
const collection = join(folder, 'collection.json')
const operations = listOperations(contract)
  .map(({ id }) => id)
  .sort()

const { 'partner-payments.postman_collection.json': exported } = await createExports()
writeFileSync(collection, JSON.stringify(exported))
afterAll(() => rmSync(folder, { recursive: true }))

it.each([
  { where: 'twice on a sandbox', times: 2, serve: () => serveSandbox({ port: 0 }) },
  { where: 'on a mock', times: 1, serve: () => serveMock({ port: 0, log() {} }) },
])(
  'runs $where: all operations, with the status and schema of the contract',
  async ({ times, serve }) => {
    const service = await serve()
    onTestFinished(() => service.close())
    const { failures, executions, stats } = await runCollection(service.url, times)
    expect(failures.map(({ source, error }) => `${source.name}: ${error.message}`)).toEqual([])
    expect([...new Set(executions.map(idOf))].sort()).toEqual(operations)
    // Each has a status, all but one a body, and all but seven a body that the document shows.
    const assertions = operations.length + (operations.length - 1) + (operations.length - 7)
    expect(stats.assertions.total).toBe(times * assertions)
  },
)

it.each([
  {
    after: 'a sign-in that failed',
    path: '/auth/',
    status: 401,
    expected: ['signIn'],
  },
  {
    after: 'a sign-in without a token',
    path: '/auth/',
    status: 200,
    expected: ['signIn'],
  },
  {
    after: 'a look-up that failed, before the payment',
    path: '/dict/check/',
    status: 404,
    expected: ['signIn', 'checkKey'],
  },
])('stops after $after', async ({ path, status, expected }) => {
  const mock = await serveMock({ port: 0, log() {} })
  onTestFinished(() => mock.close())
  const server = createServer(async (request, response) => {
    const { url = '', method = 'GET', headers } = request
    const body = Buffer.concat(await request.toArray())
    if (url.includes(path)) {
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
      return
    }

    const { authorization = '', 'content-type': type = 'application/json' } = headers
    const passed = await fetch(mock.url + url, {
      method,
      headers: { authorization, 'content-type': type },
      body: body.length > 0 ? body : null,
    })
    response.writeHead(passed.status, { 'content-type': 'application/json' })
    response.end(await passed.text())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { executions } = await runCollection(`http://127.0.0.1:${port}`)
  expect(executions.map(idOf)).toEqual(expected)
  expect(executions.at(-1)?.assertions.some(({ error }) => error)).toBe(true)
})

interface Execution {
  readonly item: { readonly name: string }
  readonly assertions: readonly { readonly error?: object }[]
}

interface Run {
  readonly failures: readonly { source: { name: string }; error: { message: string } }[]
  readonly executions: readonly Execution[]
  readonly stats: { readonly assertions: { readonly total: number } }
}

/** What `newman run` reports. It exits with 1 if an assertion fails. */
async function runCollection(url: string, times = 1): Promise<Run> {
  const report = join(folder, 'report.json')
  const variables = ['--env-var', `base_url=${url}`, '--iteration-count', String(times)]
  const reporters = ['--reporters', 'json', '--reporter-json-export', report]
  await promisify(execFile)(process.execPath, [
    NEWMAN,
    'run',
    collection,
    ...variables,
    ...reporters,
  ]).catch(({ code }) => expect(code).toBe(1))
  return JSON.parse(readFileSync(report, 'utf8')).run
}

/** The request of an operation begins its name with the id. */
function idOf({ item: { name } }: Execution): string {
  return name.slice(0, name.indexOf(':'))
}
