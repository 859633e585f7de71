// Runs the checker on OpenAPI documents of others, each against Prism's mock of it, and prints the findings by rule.
//   node scripts/documents.ts FOLDER [--only NAME,...] [--rules RULE,...] [--seconds 1] [--minutes 20] [--results FOLDER]
// A mock follows its document, so each finding is an error of Prism's, of the document's, or of the checker's. Which one
// it is, people have to say: nothing here is counted as right or wrong, and the exit code is 0.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freePort } from '@partner-payments/bench'
import type { Result } from '../src/index.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    rules: { type: 'string', default: '' },
    seconds: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '20' },
    results: { type: 'string' },
  },
})
const [folder = '.'] = positionals
const PRISM = fileURLToPath(new URL('../../mock/node_modules/.bin/prism', import.meta.url))
/** Prism reads a large document for minutes. */
const TRIES = 6_000
const CHECKER = fileURLToPath(new URL('documents-checker.ts', import.meta.url))

if (values.results !== undefined) mkdirSync(values.results, { recursive: true })
const chosen = values.only?.split(',')
for (const file of readdirSync(folder)
  .filter((it) => /\.(json|ya?ml)$/.test(it))
  .sort()) {
  const name = basename(file, extname(file))
  if (chosen === undefined || chosen.includes(name)) await tryDocument(name, join(folder, file))
}

interface Ran {
  readonly result: Result
  /** Kilobytes. */
  readonly maxRSS: number
}

async function tryDocument(name: string, file: string): Promise<void> {
  let prism: Mock | undefined
  try {
    prism = await startPrism(file, name)
    print(name, await checked(file, prism.url))
  } catch (error) {
    console.log(`\n${name}: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await prism?.stop()
  }
}

interface Mock {
  readonly url: string
  stop(): Promise<void>
}

async function startPrism(file: string, name: string): Promise<Mock> {
  const port = await freePort()
  const log = createWriteStream(
    values.results === undefined ? '/dev/null' : join(values.results, `${name}.prism.log`),
  )
  const child = spawn(PRISM, ['mock', '-p', String(port), file], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.pipe(log)
  child.stderr.pipe(log)
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  await listening(url, child)
  const stop = async () => {
    child.kill()
    await ended
  }
  return { url, stop }
}

/** In a process of its own, whose memory is its alone. */
async function checked(file: string, url: string): Promise<Ran> {
  const child = spawn(process.execPath, [CHECKER, file, url, values.seconds, values.minutes, values.rules], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (it: Buffer) => chunks.push(it))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the checker ended with ${code}`)
  return JSON.parse(Buffer.concat(chunks).toString()) as Ran
}

function print(name: string, { result, maxRSS }: Ran): void {
  const { findings, requests, cases, ms, coverage, interrupted } = result
  const succeeded = coverage.operations.filter(({ successes }) => successes > 0).length
  console.log(
    [
      `\n${name}: ${coverage.operations.length} operations (${succeeded} with a success)`,
      `${requests} requests, ${cases} cases, ${Math.round(ms / 1000)} s, ${Math.round(maxRSS / 1024)} MB`,
      ...(interrupted === undefined ? [] : [`ended early: ${interrupted}`]),
    ].join(', '),
  )
  for (const [rule, count] of countBy(findings.map(({ kind, rule }) => `${kind} ${rule}`)))
    console.log(`  ${String(count).padStart(5)} ${rule}`)
  if (values.results !== undefined)
    writeFileSync(join(values.results, `${name}.json`), JSON.stringify({ ...result, maxRSS }))
}

function countBy(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}

async function listening(url: string, child: ChildProcess): Promise<void> {
  for (let i = 0; i < TRIES && child.exitCode === null; i++) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`Prism does not listen on ${url}.`)
}
