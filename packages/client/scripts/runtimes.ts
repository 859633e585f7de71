/**
 * `pnpm --filter @partner-payments/client runtimes [name …]` bundles the package and runs it in the named runtimes, by default in
 * all supported ones, against a mock and against a server that counts requests, since runtimes differ in how they repeat
 * requests. npx downloads 60 MB to 200 MB per runtime, so no test does this. Exits with 1 if a runtime fails.
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
const EXPECTED = {
  paid: 'settled',
  missing: 404,
  aborted: 'aborted',
  refused: 'connection',
  statuses: [200, 200, 200, 201, 404],
}

/** Deno and workerd do not report a failed connection, so the outcome of a payment is unknown there. */
const WITHOUT_ERROR_CODES = { ...EXPECTED, refused: 'outcome_unknown' }

/** A program: its imports, and a call that returns an object. */
interface Program {
  readonly imports: string
  readonly call: string
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

interface Runtime {
  readonly expected: object
  run(program: Program): Promise<string>
}

const RUNTIMES: Readonly<Record<string, Runtime>> = {
  node20: { expected: EXPECTED, run: (program) => run(program, 'node@20') },
  node22: { expected: EXPECTED, run: (program) => run(program, 'node@22') },
  node24: { expected: EXPECTED, run: (program) => run(program, 'node@24') },
  node26: { expected: EXPECTED, run: (program) => run(program, 'node@26') },
  bun: { expected: EXPECTED, run: (program) => run(program, 'bun@1.4.5') },
  deno: {
    expected: WITHOUT_ERROR_CODES,
    run: (program) => run(program, 'deno@2.9.6', 'run', '--allow-net', '--allow-env'),
  },
  workerd: { expected: WITHOUT_ERROR_CODES, run: inWorkerd },
}

const names = process.argv.slice(2)
const mock = await serve({ port: 0 })
for (const name of names.length > 0 ? names : Object.keys(RUNTIMES)) {
  const problems = await problemsOf(name).catch(({ message }: Error) => [message])
  if (problems.length > 0) process.exitCode = 1
  process.stdout.write(`${name}: ${problems.join('; ') || 'ok'}\n`)
}
await mock.close()

async function problemsOf(name: string): Promise<string[]> {
  const runtime = RUNTIMES[name]
  if (!runtime) return [`must be one of ${Object.keys(RUNTIMES).join(', ')}`]
  const flow = await outcomeOf(runtime, flowAgainst(mock.url))
  const differs = !isDeepStrictEqual(flow, runtime.expected)
  const problems = differs ? [`returned ${JSON.stringify(flow)}`] : []
  for (const door of doors) problems.push(...(await repeatsIn(runtime, door)))
  return problems
}

/** Requests that arrived more than once, or whose outcome reads as not carried out. */
async function repeatsIn(runtime: Runtime, door: string): Promise<string[]> {
  const server = await startCountingServer()
  try {
    const ends = Object.entries(await outcomeOf(runtime, onceAgainst(door, server.url)))
    const wrong = ends.filter(
      ([name, kind]) => server.counts[name] !== 1 || !/^(ok|outcome_unknown)$/.test(kind),
    )
    const lines = wrong.map(
      ([name, kind]) => `${door}: ${name} was read ${server.counts[name]} times and ended ${kind}`,
    )
    return ends.length === 2 * REPEATING.length ? lines : [`ended ${ends.length} requests`, ...lines]
  } finally {
    server.close()
  }
}

async function outcomeOf(runtime: Runtime, program: Program): Promise<Record<string, string>> {
  const lines = (await runtime.run(program)).split('\n')
  return JSON.parse(lines.find((it) => it.startsWith('{')) ?? '{}')
}

function flowAgainst(url: string): Program {
  return { imports: `import { flow } from './scripts/flow.mjs'`, call: `flow('${url}')` }
}

function onceAgainst(door: string, url: string): Program {
  return {
    imports: `
      import * as client from '@partner-payments/client'
      import { sendOnce } from './scripts/send-once.mjs'`,
    call: `sendOnce(client, '${door}', '${url}', ${JSON.stringify(REPEATING)})`,
  }
}

function run({ imports, call }: Program, ...command: string[]): Promise<string> {
  return bundled(`${imports}\nconsole.log(JSON.stringify(await ${call}))`, (folder) =>
    npx(...command, `${folder}/program.mjs`),
  )
}

/** Bundles a program, since not every runtime strips types, and removes it after `use`. */
async function bundled<T>(contents: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'runtimes-'))
  try {
    const outfile = `${folder}/program.mjs`
    await build({ stdin: { contents, resolveDir: CLIENT }, bundle: true, format: 'esm', outfile })
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function npx(...args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('npx', ['-y', ...args], { cwd: CLIENT })
  return `${stdout}\n${stderr}`
}

/** A worker has no command line, so the program runs as its test. */
function inWorkerd({ imports, call }: Program): Promise<string> {
  const contents = `${imports}
    export default { test: async () => console.log(JSON.stringify(await ${call})) }`
  return bundled(contents, async (folder) => {
    await writeFile(`${folder}/config.capnp`, WORKERD)
    return npx('workerd@1.20261117.1', 'test', `${folder}/config.capnp`)
  })
}
