import { setTimeout as sleep } from 'node:timers/promises'
import { ADDRESS, runSandbox } from '../bench/load.ts'
import { createApp } from '../src/index.ts'
import { reconcile } from '../src/ledger/reconcile.ts'
import { parseCentavos } from '../src/money/centavos.ts'
import { openStore, type StoreOptions } from '../src/store/open.ts'
import { type Acknowledged, type Loaded, startLoad } from './load.ts'

/** The result of kills of one state. All fields but the first must be 0 or empty. */
interface Report {
  /** Transfers with a 201 response before a kill. */
  readonly acknowledged: number
  /** Acknowledged transfers that are missing, or have another amount. */
  readonly lost: number
  /** Transfers that were not finished after the last start. */
  readonly pending: number
  /** What did not add up after a kill. */
  readonly findings: readonly string[]
  /** Responses that the load must never get. */
  readonly unexpected: readonly string[]
}

/** Kill after up to this many responses, plus some milliseconds, at an unpredictable moment. */
const MAX_RESPONSES = 40
const MORE_MS = 10
/** Milliseconds to wait for those responses on a busy machine. */
const WAIT_MS = 2_000

/**
 * Starts a sandbox on a state, kills it at a random moment under load, checks the state, and
 * repeats.
 */
export async function kill(where: StoreOptions, kills: number): Promise<Report> {
  // One that is not killed writes Node's compile cache, which makes each start faster.
  const first = runSandbox(where)
  await first.printed(ADDRESS)
  await first.stop('SIGTERM')
  const acknowledged: Acknowledged[] = []
  const findings: string[] = []
  const unexpected: string[] = []
  for (let i = 0; i < kills; i++) {
    const loaded = await killOnce(where)
    acknowledged.push(...loaded.acknowledged)
    unexpected.push(...loaded.unexpected)
    findings.push(...(await findMismatches(where)))
  }

  const { lost, pending } = await end(where, acknowledged)
  return {
    acknowledged: acknowledged.length,
    lost,
    pending,
    findings,
    unexpected,
  }
}

async function killOnce(where: StoreOptions): Promise<Loaded> {
  const server = runSandbox(where, '--settle-after', '20')
  const [url] = await server.printed(ADDRESS)
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  const responses = Math.floor(Math.random() * MAX_RESPONSES)
  const { loaded } = await startLoad(url, (count) => {
    if (count >= responses) resolve()
  })
  await Promise.race([enough, sleep(WAIT_MS)])
  await sleep(Math.random() * MORE_MS)
  await server.stop('SIGKILL')
  return loaded
}

/** What does not add up in a state, such as a balance without its postings. */
async function findMismatches(where: StoreOptions): Promise<string[]> {
  const store = await openStore(where)
  try {
    return await store.read(reconcile)
  } finally {
    await store.close()
  }
}

/** Starts the sandbox once more without a kill, so that everything in progress ends. */
async function end(where: StoreOptions, acknowledged: readonly Acknowledged[]) {
  const { store, worker, close } = await createApp(where)
  await sleep(50)
  await worker.idle()
  const sql = 'SELECT id, amount, status FROM transfers'
  const rows = await store.read((queries) => queries.all<StoredTransfer>(sql))
  const findings = await store.read(reconcile)
  if (findings.length > 0) throw new Error(`after the last start: ${findings.join('; ')}`)
  await close()

  const amounts = new Map(rows.map(({ id, amount }) => [id, amount]))
  const lost = acknowledged.filter(({ id, amount }) => amounts.get(id) !== parseCentavos(amount))
  const pending = rows.filter(({ status }) => status === 'pending')
  return { lost: lost.length, pending: pending.length }
}

type StoredTransfer = { readonly id: string; readonly amount: bigint; readonly status: string }
