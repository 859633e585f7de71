/**
 * `pnpm --filter @partner-payments/client runtimes [name …]`: the built package in every runtime that it is for,
 * against a mock, or in those that are named. npx fetches them, 60 MB to 200 MB each, so no test does this. Exits
 * with 1 where one of them does not do what it should.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, promisify } from 'node:util'
import { serve } from '@partner-payments/mock'
import { build } from 'esbuild'

const CLIENT = fileURLToPath(new URL('..', import.meta.url))
const FLOW = 'scripts/run-flow.mjs'
const EXPECTED = {
  paid: 'settled',
  missing: 404,
  aborted: 'aborted',
  refused: 'connection',
  statuses: [200, 200, 200, 201, 404],
}

/** Deno and workerd do not tell that no connection was made, so whether a payment left is not known there. */
const UNTOLD = { ...EXPECTED, refused: 'outcome_unknown' }

/** One worker, which may reach the mock. */
const WORKERD = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "main", worker = (modules = [(name = "worker", esModule = embed "worker.js")],
    compatibilityDate = "2026-11-01", globalOutbound = "mock")),
  (name = "mock", network = (allow = ["private", "public"])),
]);
`

interface Runtime {
  readonly expected: object
  run(url: string): Promise<string>
}

const RUNTIMES: Readonly<Record<string, Runtime>> = {
  node20: { expected: EXPECTED, run: (url) => npx('node@20', FLOW, url) },
  node22: { expected: EXPECTED, run: (url) => npx('node@22', FLOW, url) },
  node24: { expected: EXPECTED, run: (url) => npx('node@24', FLOW, url) },
  node26: { expected: EXPECTED, run: (url) => npx('node@26', FLOW, url) },
  bun: { expected: EXPECTED, run: (url) => npx('bun@1.4.5', FLOW, url) },
  deno: {
    expected: UNTOLD,
    run: (url) => npx('deno@2.9.6', 'run', '--allow-net', '--allow-env', FLOW, url),
  },
  workerd: { expected: UNTOLD, run: inWorkerd },
}

const names = process.argv.slice(2)
const { url, close } = await serve({ port: 0 })
for (const name of names.length > 0 ? names : Object.keys(RUNTIMES)) {
  const told = await tell(name).catch(({ message }: Error) => message)
  if (told) process.exitCode = 1
  process.stdout.write(`${name}: ${told ?? 'ok'}\n`)
}
await close()

/** What is wrong, if anything. */
async function tell(name: string): Promise<string | undefined> {
  const runtime = RUNTIMES[name]
  if (!runtime) return `must be one of ${Object.keys(RUNTIMES).join(', ')}`
  const line = (await runtime.run(url)).split('\n').find((it) => it.startsWith('{')) ?? '{}'
  return isDeepStrictEqual(JSON.parse(line), runtime.expected) ? undefined : `did ${line}`
}

async function npx(...args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('npx', ['-y', ...args], { cwd: CLIENT })
  return `${stdout}\n${stderr}`
}

/** A worker has no command line: the flow is its one test. */
async function inWorkerd(url: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'workerd-'))
  const contents = `
    import { flow } from './scripts/flow.mjs'
    export default { test: async () => console.log(JSON.stringify(await flow('${url}'))) }`
  try {
    await build({
      stdin: { contents, resolveDir: CLIENT },
      bundle: true,
      format: 'esm',
      outfile: `${folder}/worker.js`,
    })
    await writeFile(`${folder}/config.capnp`, WORKERD)
    return await npx('workerd@1.20261117.1', 'test', `${folder}/config.capnp`)
  } finally {
    await rm(folder, { recursive: true })
  }
}
