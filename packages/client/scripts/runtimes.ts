/**
 * `pnpm --filter @partner-payments/client runtimes [name …]` bundles the package and runs it in the
 * named runtimes, by default in all supported ones: against a mock, against a server that counts
 * requests, since runtimes differ in how they repeat requests, and against a server that offers
 * HTTP/2 over TLS, since they differ in how they share connections. npx downloads 60 MB to 200 MB
 * per runtime, so no test does this. Exits with 1 if a runtime fails.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, promisify } from 'node:util'
import { serve } from '@partner-payments/mock'
import { build } from 'esbuild'
import { CA, misusesIn, startConnectionServer } from './connection-server.ts'
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

/** Runtimes whose errors do not prove a refused connection, so a payment has an unknown outcome. */
const WITHOUT_PROOF_OF_REFUSAL: ReadonlySet<string> = new Set(['bun', 'deno', 'workerd'])

/** Runtimes that give no way to choose a connection. */
const WITHOUT_FRESH_CONNECTIONS: ReadonlySet<string> = new Set(['workerd'])

/** Payments over TLS, each after a read that leaves its connection in the pool. */
const PAYMENTS = 40

/** What may end a request that was sent once, whatever the response. */
const EXPECTED_ENDS: ReadonlySet<string> = new Set([
  // The response proves that it was carried out.
  'ok',
  // Nothing proves anything. Any other end says that it was not carried out.
  'outcome_unknown',
])

const namesInArguments = process.argv.slice(2)
const names = namesInArguments.length > 0 ? namesInArguments : Object.keys(RUNTIMES)
const mock = await serve({ port: 0 })
for (const name of names) {
  const problems = await problemsOf(name).catch(({ message }: Error) => [message])
  if (problems.length > 0) process.exitCode = 1
  process.stdout.write(`${name}: ${problems.join('; ') || 'ok'}\n`)
}
await mock.close()

async function problemsOf(name: string): Promise<string[]> {
  if (!RUNTIMES[name]) return [`must be one of ${Object.keys(RUNTIMES).join(', ')}`]

  const problems: string[] = []
  const imports = `import { flow } from './scripts/flow.mjs'`
  const flow = await outcomeOf(name, imports, `flow('${mock.url}')`)
  const expected = {
    paid: 'settled',
    missing: 404,
    aborted: 'aborted',
    refused: WITHOUT_PROOF_OF_REFUSAL.has(name) ? 'outcome_unknown' : 'connection',
    statuses: [200, 200, 200, 201, 404],
  }
  if (!isDeepStrictEqual(flow, expected)) problems.push(`returned ${JSON.stringify(flow)}`)

  for (const door of doors) problems.push(...(await repeatsIn(name, door)))
  if (!WITHOUT_FRESH_CONNECTIONS.has(name)) problems.push(...(await misusesOf(name)))
  return problems
}

/** Payments over a connection that another request used, and what came of them. */
async function misusesOf(name: string): Promise<string[]> {
  const server = await startConnectionServer()
  const imports = `
    import * as client from '@partner-payments/client'
    import { useConnections } from './scripts/connections.mjs'`
  try {
    const kinds = await outcomeOf(
      name,
      imports,
      `useConnections(client, '${server.url}', ${PAYMENTS})`,
    )
    const problems = misusesIn(server.arrivalsOf('plain'))
    const expected = {
      // Four more were sent at the same time.
      plain: { ok: PAYMENTS + 4 },
      ending: { ok: PAYMENTS },
      stray: { http: PAYMENTS },
    }
    if (!isDeepStrictEqual(kinds, expected)) problems.push(`ended ${JSON.stringify(kinds)}`)
    return problems
  } finally {
    server.close()
  }
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
    const lines: string[] = []
    // A POST and a PATCH in each scenario.
    const wasComplete = ends.length === 2 * REPEATING.length
    if (!wasComplete) lines.push(`ended ${ends.length} requests`)

    for (const [id, kind] of ends) {
      const count = server.counts[id]
      if (count === 1 && EXPECTED_ENDS.has(kind)) continue
      lines.push(`${door}: ${id} was read ${count} times and ended ${kind}`)
    }
    return lines
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
  const program = isWorker ? `export default { test: async () => ${print} }` : print
  const contents = `${imports}\n${program}`
  const folder = await mkdtemp(join(tmpdir(), 'runtimes-'))
  const outfile = `${folder}/program.mjs`
  try {
    // Not every runtime strips types.
    await build({ stdin: { contents, resolveDir: CLIENT }, bundle: true, format: 'esm', outfile })
    await writeFile(`${folder}/config.capnp`, WORKERD)
    const entry = isWorker ? `${folder}/config.capnp` : outfile
    const args = ['-y', ...(RUNTIMES[name] ?? []), entry]
    // Each runtime has its own name for the certificates to trust.
    const certificates = join(folder, 'certificates.pem')
    await writeFile(certificates, await trustedCertificates())
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificates, DENO_CERT: certificates }
    const { stdout, stderr } = await promisify(execFile)('npx', args, { cwd: CLIENT, env })
    const lines = `${stdout}\n${stderr}`.split('\n')
    return JSON.parse(lines.find((line) => line.startsWith('{')) ?? '{}')
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Ours, and those of the environment, by which npx trusts the registry behind a proxy. */
async function trustedCertificates(): Promise<string> {
  const { NODE_EXTRA_CA_CERTS } = process.env
  const files = NODE_EXTRA_CA_CERTS ? [CA, NODE_EXTRA_CA_CERTS] : [CA]
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return texts.join('\n')
}
