import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Bench, bundledSizes, callsPerSecond, type Row, rowsOf } from '@partner-payments/bench'
import { Program } from '@partner-payments/programs'
import { CASES, transfer, wrongCases } from './cases.ts'
import type { Connection } from './clients/connection.ts'
import {
  BY_HAND,
  CLIENTS,
  CLIENTS_BY_PATH,
  type Client,
  type Connect,
  type Files,
  GUARDED,
  load,
  OURS,
} from './clients.ts'
import { keyFound } from './responses.ts'
import { typeCost } from './type-check.ts'

type Connects = Readonly<Record<string, Connect>>

/**
 * Measures the bundle size of a page of three operations, the time to check its types, the cost of
 * a POST beyond `fetch`, and how many failures each client mishandles.
 */
export const bench: Bench = {
  title: 'client: weight, cost and failures',
  async run() {
    generate()
    const page = 'page of three operations'
    return [
      ...(await sizes(page, CLIENTS)),
      // No peer has logs, or response checks, which contain the schemas of the contract.
      ...(await sizes(`${page} with logs`, { [OURS]: 'ours-observed' })),
      ...(await sizes(`${page} with logs and response checks`, { [OURS]: 'ours-validated' })),
      ...(await sizes(`${page} by path`, CLIENTS_BY_PATH)),
      // Before the clients are loaded, since Node only strips the types.
      ...typeCosts(page, CLIENTS),
      ...typeCosts(`${page} by path`, CLIENTS_BY_PATH),
      ...(await calls(await load(CLIENTS), await load(CLIENTS_BY_PATH), await load(GUARDED))),
    ]
  },
}

/** Generates the peer clients from the last built contract. */
function generate() {
  const program = join(import.meta.dirname, '../../../scripts/tools/generate.ts')
  const contract = fileURLToPath(import.meta.resolve('@partner-payments/spec/openapi.json'))
  const folder = join(import.meta.dirname, 'generated')
  mkdirSync(folder, { recursive: true })
  const { status } = spawnSync(process.execPath, [program, contract, folder], {
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error('generating the peer clients failed')
}

async function sizes(figure: string, files: Files): Promise<Row[]> {
  const sources = mapValues(files, (file) => `export { connect } from './clients/${file}.ts'`)
  const bytes = await bundledSizes(sources, import.meta.dirname)
  return rowsOf(`${figure}, minified and gzipped`, 'B', bytes)
}

function typeCosts(page: string, files: Files): Row[] {
  const costs = mapValues(files, (file) => typeCost(`clients/${file}.ts`))
  const instantiations = mapValues(costs, (cost) => cost.instantiations)
  const milliseconds = mapValues(costs, (cost) => cost.milliseconds)
  return [
    ...rowsOf(`${page}, type instantiations`, '', instantiations),
    ...rowsOf(`${page}, time to check types`, 'ms', milliseconds),
  ]
}

async function calls(connects: Connects, byPath: Connects, guarded: Connects): Promise<Row[]> {
  return [
    ...(await postsInMemory(connects, byPath)),
    ...(await requestsOverLoopback({ ...connects, ...guarded })),
    ...(await failures('failures read as success, or other paths called', connects)),
    ...(await failures('failures by path, read as success, or other paths called', byPath)),
  ]
}

/** Microseconds of a POST with each client, without those of an in-memory `fetch`. */
async function postsInMemory(
  { [BY_HAND]: _, ...byName }: Connects,
  byPath: Connects,
): Promise<Row[]> {
  const connection = {
    baseUrl: 'http://127.0.0.1:4010',
    token: 'token',
    fetch: async () => keyFound(),
  }
  const checkKey = (client: Client) => client.checkKey('beltrana@example.com')
  const posts = callsOf({ ...byName, ...byPath }, connection, checkKey)
  const rates = await callsPerSecond({ fetch: fetching(connection), ...posts }, 1)
  const microseconds = (name: string) => SECOND_US / (rates[name] ?? Number.NaN)
  const beyond = (connects: Connects) => {
    return mapValues(connects, (_, name) => microseconds(name) - microseconds('fetch'))
  }
  return [
    {
      figure: 'POST by fetch alone, in memory',
      subject: 'fetch',
      value: microseconds('fetch'),
      unit: 'µs',
      better: 'lower',
    },
    ...rowsOf('POST beyond fetch alone, in memory', 'µs', beyond(byName)),
    ...rowsOf('POST by path beyond fetch alone, in memory', 'µs', beyond(byPath)),
  ]
}

const SECOND_US = 1e6

/** The same POST without a client. */
function fetching({ baseUrl, token, fetch }: Connection) {
  const url = `${baseUrl}/mobile-bff/v1/pix/dict/check/`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return async () => {
    const body = JSON.stringify({ dict_key: 'beltrana@example.com' })
    return (await fetch(url, { method: 'POST', headers, body })).json()
  }
}

/**
 * A look-up has the effect `idempotent`, a payment `once`. Peers keep connections alive; ours does
 * so for look-ups, and opens one for each payment.
 */
async function requestsOverLoopback(connects: Connects): Promise<Row[]> {
  // In its own process, so that its work does not count for the client.
  const bare = fileURLToPath(import.meta.resolve('@partner-payments/bench/bare'))
  await using server = new Program(process.execPath, [bare])
  const [baseUrl] = await server.printed(/^http\S+/)
  const connection = { baseUrl, token: 'token', fetch }
  const works = {
    'look-ups': callsOf(connects, connection, (client) => client.checkKey('beltrana@example.com')),
    payments: callsOf(connects, connection, (client) => client.createTransfer(transfer)),
  }
  const rows: Row[] = []
  for (const [name, calls] of Object.entries(works)) {
    const inTurn = await callsPerSecond(calls, 1)
    const inParallel = await callsPerSecond(calls, 16)
    rows.push(...rowsOf(`${name} over loopback, one at a time`, '/s', inTurn))
    rows.push(...rowsOf(`${name} over loopback, 16 in flight`, '/s', inParallel))
  }
  return rows
}

function callsOf(
  connects: Connects,
  connection: Connection,
  call: (client: Client) => Promise<unknown>,
) {
  return mapValues(connects, (connect) => {
    const client = connect(connection)
    return () => call(client)
  })
}

/** The table has the count; the names go to stderr. */
async function failures(figure: string, connects: Connects): Promise<Row[]> {
  const counts: Record<string, number> = {}
  for (const [name, connect] of Object.entries(connects)) {
    const wrong = await wrongCases(connect)
    counts[name] = wrong.length
    const names = wrong.join('; ') || 'none'
    console.error(`  ${name} fails ${wrong.length} cases: ${names}`)
  }
  return rowsOf(figure, `of ${CASES}`, counts)
}

function mapValues<T, U>(
  values: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U,
): Record<string, U> {
  const changed: Record<string, U> = {}
  for (const [name, value] of Object.entries(values)) changed[name] = change(value, name)
  return changed
}
