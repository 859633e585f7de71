import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Bench, type Row, rowsOf } from '@partner-payments/bench'
import { wrong } from '../test/gate.ts'
import { mutants } from '../test/mutants/index.ts'
import type { Mutant } from '../test/mutants/tools.ts'
import { createRespect, type Peer, startPrism } from './peers.ts'
import { startSandbox, startTarget } from './target.ts'

const OURS = '@partner-payments/conformance'

/** The checker on the sandbox: how long it takes, and how much of what is wrong it finds, beside its peers. */
export const bench: Bench = {
  title: 'conformance: a running service against its contract',
  run: async () => [...(await wholeRun()), ...(await caught())],
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

/** Every sixth of the mutants; `scripts/gate.ts` tries all. */
const EVERY = 6

/** Of ours, only a finding at an operation that the mutant concerns counts; of the peers, whatever they notice. */
async function caught(): Promise<Row[]> {
  const chosen = mutants.filter((_, i) => i % EVERY === 0)
  const target = await startTarget()
  const ours = { name: OURS, notices: isNamedByUs, close: async () => {} }
  const peers = [ours, await startPrism(target), createRespect(target)]
  try {
    const shares: Record<string, number> = {}
    for (const { name, notices } of peers) shares[name] = 100 * (await shareOf(chosen, notices))
    const figure = `mutants noticed, of ${chosen.length}`
    return rowsOf({ figure, unit: '%', better: 'higher' }, shares, (subject) => subject === OURS)
  } finally {
    for (const peer of peers) await peer.close()
    await target.close()
  }
}

async function shareOf(chosen: readonly Mutant[], notices: Peer['notices']): Promise<number> {
  let count = 0
  for (const mutant of chosen) if (await notices(mutant)) count++
  return count / chosen.length
}

async function isNamedByUs({ id }: Mutant): Promise<boolean> {
  const said = await wrong.find((it) => it.id === id)?.run()
  return said?.length === 0
}
