import { setTimeout as sleep } from 'node:timers/promises'
import { createSandbox } from '../../src/index.ts'
import { reconcile } from '../../src/ledger/reconcile.ts'
import { parseCentavos } from '../../src/money/centavos.ts'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import { startChild } from './child.ts'
import { type Acknowledged, type Loaded, load, signIn } from './load.ts'

/** What so many kills did to a state. All but the first three have to be 0, or empty. */
export interface Report {
  readonly kills: number
  /** Transfers that were answered with 201 before a kill. */
  readonly acknowledged: number
  /** Transfers that are there, though the kill came before their answer. */
  readonly unanswered: number
  /** Acknowledged transfers that are not there, or with another amount. */
  readonly lost: number
  /** Transfers that did not end after the last start. */
  readonly pending: number
  /** What did not add up after a kill. */
  readonly findings: readonly string[]
  /** Answers that a load never gets. */
  readonly unexpected: readonly string[]
}

interface KillOptions {
  readonly where: StoreOptions
  readonly kills: number
  /** Where what Node compiled is kept, so that each start is sooner. */
  readonly cache: string
  readonly onKill?: () => void
}

/** Answers before a kill, at most, then milliseconds: a moment of which nobody can say what is under way. */
const ANSWERS = 40
const MORE_MS = 10
/** Milliseconds to wait for those answers, on a machine that is busy. */
const PATIENCE_MS = 2_000

/** Starts a sandbox on one state, kills it at a random moment under load, looks at the state, and so on. */
export async function kill({ where, kills, cache, onKill = () => {} }: KillOptions): Promise<Report> {
  const acknowledged: Acknowledged[] = []
  const findings: string[] = []
  const unexpected: string[] = []
  for (let i = 0; i < kills; i++) {
    const loaded = await killOnce(where, cache)
    acknowledged.push(...loaded.acknowledged)
    unexpected.push(...loaded.unexpected)
    findings.push(...(await reconciled(where)))
    onKill()
  }
  return {
    kills,
    acknowledged: acknowledged.length,
    findings,
    unexpected,
    ...(await end(where, acknowledged)),
  }
}

/** Adds up the reports of several states. */
export function sum(reports: readonly Report[]): Report {
  const total = (pick: (report: Report) => number) => reports.reduce((all, report) => all + pick(report), 0)
  return {
    kills: total(({ kills }) => kills),
    acknowledged: total(({ acknowledged }) => acknowledged),
    unanswered: total(({ unanswered }) => unanswered),
    lost: total(({ lost }) => lost),
    pending: total(({ pending }) => pending),
    findings: reports.flatMap(({ findings }) => findings),
    unexpected: reports.flatMap(({ unexpected }) => unexpected),
  }
}

async function killOnce({ file, databaseUrl }: StoreOptions, cache: string): Promise<Loaded> {
  const env = {
    NODE_COMPILE_CACHE: cache,
    ...(file && { FILE: file }),
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  }
  const child = startChild(new URL('./server.ts', import.meta.url), [], env)
  const url = await child.firstLine
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  const answers = Math.floor(Math.random() * ANSWERS)
  const loading = load(url, await signIn(url), (count) => count >= answers && resolve())
  await Promise.race([enough, sleep(PATIENCE_MS)])
  await sleep(Math.random() * MORE_MS)
  await child.kill()
  return loading
}

async function reconciled(where: StoreOptions): Promise<string[]> {
  const store = await openStore(where)
  try {
    return await store.read(reconcile)
  } finally {
    await store.close()
  }
}

/** The last start, which no kill follows: what was under way comes to its end. */
async function end(where: StoreOptions, acknowledged: readonly Acknowledged[]) {
  const { store, worker, close } = await createSandbox(where)
  await sleep(50)
  await worker.idle()
  const rows = await store.read((queries) => queries.all<Kept>('SELECT id, amount, status FROM transfers'))
  const findings = await store.read(reconcile)
  if (findings.length > 0) throw new Error(`after the last start: ${findings.join('; ')}`)
  await close()
  const kept = new Map(rows.map((row) => [row.id, row]))
  const lost = acknowledged.filter(({ id, amount }) => kept.get(id)?.amount !== parseCentavos(amount)).length
  const pending = rows.filter(({ status }) => status === 'pending').length
  return { lost, pending, unanswered: rows.length - acknowledged.length + lost }
}

type Kept = { readonly id: string; readonly amount: bigint; readonly status: string }
