import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Bench, Row } from '@partner-payments/bench'
import { createApp } from '@partner-payments/sandbox'
import { createFetchTransport, type Proof, prove } from '../src/index.ts'
import { faults } from '../test/faulty/faults.ts'
import { configuration } from './configuration.ts'
import { createRespect, type Peer, startPrism } from './peers.ts'
import { trySeeded } from './seeded.ts'
import { startSandbox, startTarget } from './target.ts'

const OURS = '@partner-payments/conformance'
/** Faults of this bench; `scripts/prove.ts` tries more. */
const SAMPLE = 20

/** The checker on the sandbox: how long it takes, and how much of what is wrong it finds, beside its peers. */
export const bench: Bench = {
  title: 'conformance: a running service against its contract',
  run: async () => [...(await wholeRun()), ...(await caught()), await seeded()],
}

interface Ran {
  readonly ms: number
  readonly requests: number
  readonly cases: number
  readonly findings: readonly string[]
  /** Kilobytes. */
  readonly maxRSS: number
}

async function wholeRun(): Promise<Row[]> {
  const sandbox = await startSandbox()
  const { ms, requests, cases, findings, maxRSS } = await runIn(sandbox.url)
  await sandbox.close()
  const row = (figure: string, value: number, unit: string, better: Row['better']): Row => ({
    ...{ figure: `whole run on the sandbox: ${figure}`, subject: OURS, value, unit, better },
    ours: true,
  })
  return [
    row('time', ms / 1000, 's', 'lower'),
    row('requests', requests / (ms / 1000), 'requests/s', 'higher'),
    row('cases', cases / (ms / 1000), 'cases/s', 'higher'),
    row('memory', maxRSS / 1024, 'MB', 'lower'),
    row('false alarms', findings.length, '', 'lower'),
  ]
}

async function runIn(url: string): Promise<Ran> {
  const script = fileURLToPath(new URL('checker.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, url], { maxBuffer: 1e8 })
  return JSON.parse(stdout)
}

async function caught(): Promise<Row[]> {
  const proof = await proved()
  const target = await startTarget()
  const peers = [await startPrism(target), createRespect(target)]
  try {
    const shares = []
    for (const peer of peers) shares.push({ name: peer.name, share: await shareOf(peer, proof) })
    const common = { figure: `mechanical faults noticed, of ${SAMPLE}`, unit: '%', better: 'higher' } as const
    return [
      { ...common, subject: OURS, value: proof.share * 100, ours: true },
      ...shares.map(({ name, share }) => ({ ...common, subject: name, value: share * 100 })),
    ]
  } finally {
    for (const peer of peers) await peer.close()
    await target.close()
  }
}

/** Every so many of the faults that are seeded in the sandbox; `scripts/gate.ts` tries all. */
const EVERY = 8

async function seeded(): Promise<Row> {
  const chosen = faults.filter((_, i) => i % EVERY === 0)
  const tried = []
  for (const fault of chosen) tried.push(await trySeeded(fault))
  const killed = tried.filter(({ outcome }) => outcome === 'killed').length
  const figure = `seeded faults named by their rule, of ${chosen.length}`
  return {
    figure,
    subject: OURS,
    value: (killed / chosen.length) * 100,
    unit: '%',
    better: 'higher',
    ours: true,
  }
}

/** Of ours, only what is named by its rule counts; of the peers, whatever they notice. */
async function proved(): Promise<Proof> {
  const app = await createApp({ allowLoopback: true, limitsRates: false })
  const transport = createFetchTransport(app.fetch)
  try {
    return await prove({ ...configuration, url: 'http://127.0.0.1', transport, sample: SAMPLE })
  } finally {
    await app.close()
  }
}

async function shareOf(peer: Peer, { results }: Proof): Promise<number> {
  let count = 0
  for (const { fault } of results) if (await peer.notices(fault)) count++
  return count / Math.max(1, results.length)
}
