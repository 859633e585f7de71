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
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { exportsOf } from '../../exports.ts'

const NEWMAN = join(import.meta.dirname, '../../tools/node_modules/newman/bin/newman.js')
const folder = mkdtempSync(join(tmpdir(), 'postman-'))
const collection = join(folder, 'collection.json')
// Beside its operations, a path has parameters.
const pathEntries = Object.values(contract.paths).flatMap((item) => Object.values<object>(item))
const operations = pathEntries
  .flatMap((entry) => ('operationId' in entry ? String(entry.operationId) : []))
  .sort()

const { 'partner-payments.postman_collection.json': exported } = await exportsOf()
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
    // Each has a status, and all but one a body.
    expect(stats.assertions.total).toBe(times * (2 * operations.length - 1))
  },
)

it.each([
  {
    what: 'fails where a service returns another status or body',
    status: 200,
    expected: operations,
  },
  { what: 'stops after a sign-in that failed', status: 401, expected: ['signIn'] },
])('$what', async ({ status, expected }) => {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { executions } = await runCollection(`http://127.0.0.1:${port}`)
  const failed = executions.filter(({ assertions }) => assertions.some(({ error }) => error))
  expect(failed.map(idOf).sort()).toEqual(expected)
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
