import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Bench, bundledSize, callsPerSecond, type Row, rowsOf } from '@partner-payments/bench'
import { cases, transfer, wrongCases } from './cases.ts'
import type { Connection } from './clients/connection.ts'
import {
  byHand,
  type Client,
  type Connect,
  called,
  clients,
  clientsByPath,
  load,
  observed,
  openapiFetch,
  oursByPath,
  type Subject,
  validated,
} from './clients.ts'
import { startLoopback } from './loopback.ts'
import { overheads } from './overhead.ts'
import { typeCheck, typeCost } from './type-check.ts'

/**
 * Measures the bundle size of a page of three operations, the time to check its types, the cost of a POST beyond `fetch`,
 * and how many failures each client mishandles.
 */
export const bench: Bench = {
  title: 'client: weight, cost and failures',
  async run() {
    generate()
    const connects = await loadAll()
    const page = 'page of three operations'
    return [
      ...(await sizes(`${page}, minified and gzipped`, clients)),
      ...(await sizes(`${page} with logs, minified and gzipped`, [observed])),
      ...(await sizes(`${page} with logs and response checks, minified and gzipped`, [validated])),
      ...(await sizes(`${page} by path, minified and gzipped`, clientsByPath)),
      ...typeCosts(page, clients),
      ...typeCosts(`${page} by path`, clientsByPath),
      ...(await postsInMemory(connects)),
      ...(await requestsOverLoopback(connects)),
      ...(await failures(connects)),
    ]
  },
}

/** Generates the peer clients from the last built contract. */
function generate() {
  const program = join(import.meta.dirname, '../../../scripts/tools/generate.ts')
  const contract = fileURLToPath(import.meta.resolve('@partner-payments/spec/openapi.json'))
  const folder = join(import.meta.dirname, 'generated')
  mkdirSync(folder, { recursive: true })
  const { status } = spawnSync(process.execPath, [program, contract, folder], { stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('generating the peer clients failed')
}

/** The results by name. Compiles first, since Node only strips the types. */
async function loadAll(): Promise<Record<string, Connect>> {
  const connects: Record<string, Connect> = {}
  for (const client of called) {
    typeCheck(`clients/${client.file}.ts`)
    connects[client.subject] = await load(client)
  }
  return connects
}

async function sizes(figure: string, subjects: readonly Subject[]): Promise<Row[]> {
  const values: Record<string, number> = {}
  for (const { file, subject } of subjects) {
    values[subject] = await bundledSize(`export { connect } from './clients/${file}.ts'`, import.meta.dirname)
  }
  return rows({ figure, unit: 'B', better: 'lower' }, values)
}

function typeCosts(page: string, subjects: readonly Subject[]): Row[] {
  const instantiations: Record<string, number> = {}
  const milliseconds: Record<string, number> = {}
  for (const { file, subject } of subjects) {
    const cost = typeCost(`clients/${file}.ts`)
    instantiations[subject] = cost.instantiations
    milliseconds[subject] = cost.milliseconds
  }
  return [
    ...rows({ figure: `${page}, type instantiations`, unit: '', better: 'lower' }, instantiations),
    ...rows({ figure: `${page}, time to check types`, unit: 'ms', better: 'lower' }, milliseconds),
  ]
}

async function postsInMemory(connects: Record<string, Connect>): Promise<Row[]> {
  const { [byHand.subject]: _, ...others } = connects
  const { alone, beyond } = await overheads(others)
  const unit = { unit: 'µs', better: 'lower' } as const
  const { [oursByPath.subject]: byPath = Number.NaN, ...byName } = beyond
  const { [openapiFetch.subject]: peer = Number.NaN } = beyond
  const figure = 'POST by path beyond fetch alone, in memory'
  return [
    ...rows({ figure: 'POST by fetch alone, in memory', ...unit }, { fetch: alone }),
    ...rows({ figure: 'POST beyond fetch alone, in memory', ...unit }, byName),
    ...rows({ figure, ...unit }, { [oursByPath.subject]: byPath, [openapiFetch.subject]: peer }),
  ]
}

/** A look-up has the effect `idempotent`, a payment `once`. Peers keep connections alive; ours does for neither. */
async function requestsOverLoopback(connects: Record<string, Connect>): Promise<Row[]> {
  const { [oursByPath.subject]: _, ...byName } = connects
  const { baseUrl, stop } = await startLoopback()
  const connection = { baseUrl, token: 'token', fetch }
  const lookUps = callsOf(byName, connection, (client) => client.checkKey('beltrana@example.com'))
  const payments = callsOf(byName, connection, (client) => client.createTransfer(transfer))
  const unit = { unit: '/s', better: 'higher' } as const
  const measured: Row[] = []
  for (const [name, works] of Object.entries({ 'look-ups': lookUps, payments })) {
    const figure = `${name} over loopback`
    measured.push(
      ...rows({ figure: `${figure}, one at a time`, ...unit }, await callsPerSecond(works, 1)),
      ...rows({ figure: `${figure}, 16 in flight`, ...unit }, await callsPerSecond(works, 16)),
    )
  }
  await stop()
  return measured
}

function callsOf(
  connects: Record<string, Connect>,
  connection: Connection,
  call: (client: Client) => Promise<unknown>,
) {
  const works = Object.entries(connects).map(([subject, connect]) => {
    const client = connect(connection)
    return [subject, () => call(client)] as const
  })
  return Object.fromEntries(works)
}

/** The table has the count; the names go to stderr. */
async function failures(connects: Record<string, Connect>): Promise<Row[]> {
  const counts: Record<string, number> = {}
  for (const [subject, connect] of Object.entries(connects)) {
    const wrong = await wrongCases(connect)
    counts[subject] = wrong.length
    console.error(`  ${subject} fails ${wrong.length} cases: ${wrong.join('; ') || 'none'}`)
  }
  const figure = 'failures read as success, or other paths called'
  return rows({ figure, unit: `of ${Object.keys(cases).length}`, better: 'lower' }, counts)
}

function rows(what: Parameters<typeof rowsOf>[0], values: Record<string, number>): Row[] {
  return rowsOf(what, values, (subject) => called.some((it) => it.subject === subject && it.ours))
}
