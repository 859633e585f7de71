// Kills the sandbox at random moments under load, and checks the state after each kill:
// node scripts/kill.ts [--kills 1000] [--backend sqlite|postgres]
// Without --backend, half of the kills go to each. Progress goes to stderr, a JSON summary to stdout. Exit code 1 if
// anything was lost or does not add up, 2 for wrong arguments.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Postgres, startPostgres } from '../test/postgres.ts'
import { kill, type Report, sum } from './kill/kill.ts'

const BACKENDS = ['sqlite', 'postgres'] as const
type Backend = (typeof BACKENDS)[number]

/** Kills per state. Then a new state begins, so that checking it stays fast. */
const PER_STATE = 50

const { kills, backends } = argumentsOf()
const folder = mkdtempSync(join(tmpdir(), 'sandbox-kill-'))
const postgres = backends.includes('postgres') ? await startPostgres() : undefined
const began = Date.now()
let done = 0
const reports = await Promise.all(backends.map((backend) => killAll(backend, postgres)))
await postgres?.stop()
rmSync(folder, { recursive: true, force: true })
const seconds = Math.round((Date.now() - began) / 1000)
const summary = Object.fromEntries(backends.map((backend, i) => [backend, reports[i]]))
console.log(JSON.stringify({ seconds, ...summary }, null, 2))
process.exitCode = reports.every(isClean) ? 0 : 1

async function killAll(backend: Backend, server: Postgres | undefined): Promise<Report> {
  const share = Math.ceil(kills / backends.length)
  const reports: Report[] = []
  for (let left = share; left > 0; left -= PER_STATE) {
    const file = join(folder, `${backend}-${left}.db`)
    const where = server && backend === 'postgres' ? { databaseUrl: await server.newDatabase() } : { file }
    const cache = join(folder, 'cache')
    reports.push(await kill({ where, kills: Math.min(left, PER_STATE), cache, onKill: showProgress }))
  }
  return sum(reports)
}

function showProgress(): void {
  if (++done % 10 === 0) console.error(`${done} kills, ${Math.round((Date.now() - began) / 1000)} s`)
}

function isClean({ lost, pending, findings, unexpected }: Report): boolean {
  return lost === 0 && pending === 0 && findings.length === 0 && unexpected.length === 0
}

function argumentsOf(): { kills: number; backends: readonly Backend[] } {
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '1000' }, backend: { type: 'string' } },
  })
  const kills = Number(values.kills)
  const backends = BACKENDS.filter((backend) => values.backend === undefined || values.backend === backend)
  if (Number.isInteger(kills) && kills > 0 && backends.length > 0) return { kills, backends }
  console.error('usage: node scripts/kill.ts [--kills 1000] [--backend sqlite|postgres]')
  process.exit(2)
}
