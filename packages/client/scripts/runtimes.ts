/**
 * `pnpm --filter @partner-payments/client runtimes [name …]` bundles the package and runs it in the
 * named runtimes, by default in all supported ones, against a mock and against a server that counts
 * requests, since runtimes differ in how they repeat requests. npx downloads 60 MB to 200 MB per
 * runtime, so no test does this. Exits with 1 if a runtime fails.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, promisify } from 'node:util'
import { serve } from '@partner-payments/mock'
import { build } from 'esbuild'
import { REPEATING, startCountingServer } from './counting-server.ts'
import { doors } from './send-once.mjs'

const CLIENT = fileURLToPath(new URL('..', import.meta.url))

/** The arguments of npx that run a file. */
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  node20: ['node@20'],
  node22: ['node@22'],
  node24: ['node@24'],
  node26: ['node@26'],
  bun: ['bun@1.4.5'],
  deno: ['deno@2.9.6', 'run', '--allow-net', '--allow-env'],
  workerd: ['workerd@1.20261117.1', 'test'],
}

/** One worker with network access to the mock. */
const WORKERD = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "main", worker = (modules = [(name = "worker", esModule = embed "program.mjs")],
    compatibilityDate = "2026-11-01", globalOutbound = "mock")),
  (name = "mock", network = (allow = ["private", "public"])),
]);
`

const names = process.argv.slice(2)
const mock = await serve({ port: 0 })
for (const name of names.length > 0 ? names : Object.keys(RUNTIMES)) {
  const problems = await problemsOf(name).catch(({ message }: Error) => [message])
  if (problems.length > 0) process.exitCode = 1
  process.stdout.write(`${name}: ${problems.join('; ') || 'ok'}\n`)
}
await mock.close()

async function problemsOf(name: string): Promise<string[]> {
  if (!RUNTIMES[name]) return [`must be one of ${Object.keys(RUNTIMES).join(', ')}`]
  const flow = await outcomeOf(
    name,
    `import { flow } from './scripts/flow.mjs'`,
    `flow('${mock.url}')`,
  )
  const expected = {
    paid: 'settled',
    missing: 404,
    aborted: 'aborted',
    // Deno and workerd do not report a failed connection, so the outcome of a payment is unknown
    // there.
    refused: /deno|workerd/.test(name) ? 'outcome_unknown' : 'connection',
    statuses: [200, 200, 200, 201, 404],
  }
  const problems = isDeepStrictEqual(flow, expected) ? [] : [`returned ${JSON.stringify(flow)}`]
  for (const door of doors) problems.push(...(await repeatsIn(name, door)))
  return problems
}

/** Requests that arrived more than once, or whose outcome reads as not carried out. */
async function repeatsIn(name: string, door: string): Promise<string[]> {
  const server = await startCountingServer()
  const imports = `
    import * as client from '@partner-payments/client'
    import { sendOnce } from './scripts/send-once.mjs'`
  try {
    const call = `sendOnce(client, '${door}', '${server.url}', ${JSON.stringify(REPEATING)})`
    const ends = Object.entries(await outcomeOf(name, imports, call))
    const wrong = ends.filter(
      ([id, kind]) => server.counts[id] !== 1 || !/^(ok|outcome_unknown)$/.test(kind),
    )
    const lines = wrong.map(
      ([id, kind]) => `${door}: ${id} was read ${server.counts[id]} times and ended ${kind}`,
    )
    return ends.length === 2 * REPEATING.length
      ? lines
      : [`ended ${ends.length} requests`, ...lines]
  } finally {
    server.close()
  }
}

/** What the program prints: the object that `call` returns. */
async function outcomeOf(
  name: string,
  imports: string,
  call: string,
): Promise<Record<string, string>> {
  const isWorker = name === 'workerd'
  const print = `console.log(JSON.stringify(await ${call}))`
  // A worker has no command line, so the program runs as its test.
  const contents = `${imports}\n${isWorker ? `export default { test: async () => ${print} }` : print}`
  const folder = await mkdtemp(join(tmpdir(), 'runtimes-'))
  const outfile = `${folder}/program.mjs`
  try {
    // Not every runtime strips types.
    await build({ stdin: { contents, resolveDir: CLIENT }, bundle: true, format: 'esm', outfile })
    await writeFile(`${folder}/config.capnp`, WORKERD)
    const args = ['-y', ...(RUNTIMES[name] ?? []), isWorker ? `${folder}/config.capnp` : outfile]
    const { stdout, stderr } = await promisify(execFile)('npx', args, { cwd: CLIENT })
    const lines = `${stdout}\n${stderr}`.split('\n')
    return JSON.parse(lines.find((it) => it.startsWith('{')) ?? '{}')
  } finally {
    await rm(folder, { recursive: true })
  }
}
