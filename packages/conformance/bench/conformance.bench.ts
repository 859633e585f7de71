import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Bench, type Row, rowsOf } from '@partner-payments/bench'
import { serve } from '@partner-payments/sandbox'
import { wrong } from '../test/gate.ts'
import { mutants } from '../test/mutants/index.ts'
import type { Mutant } from '../test/mutants/tools.ts'
import { createRespect, type Peer, startPrism } from './peers.ts'
import { startTarget } from './target.ts'

const OURS = '@partner-payments/conformance'

/** The checker on the sandbox: how long it takes, and how much of what is wrong it finds, beside its peers. */
export const bench: Bench = {
  title: 'conformance: a running service against its contract',
  run: async () => [...(await wholeRun()), ...(await caught())],
}

async function wholeRun(): Promise<Row[]> {
  const sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
  const script = fileURLToPath(new URL('checker.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, sandbox.url], { maxBuffer: 1e8 })
  await sandbox.close()
  const { ms, requests, cases, findings, kilobytes } = JSON.parse(stdout)
  const row = (figure: string, value: number, unit: string, better: Row['better']): Row => ({
    ...{ figure: `whole run on the sandbox: ${figure}`, subject: OURS, value, unit, better },
    ours: true,
  })
  return [
    row('time', ms / 1000, 's', 'lower'),
    row('requests', requests / (ms / 1000), 'requests/s', 'higher'),
    row('cases', cases / (ms / 1000), 'cases/s', 'higher'),
    row('memory', kilobytes / 1024, 'MB', 'lower'),
    row('false alarms', findings, '', 'lower'),
  ]
}

/** Every sixth of the mutants; `scripts/gate.ts` tries all. */
const EVERY = 6

/** Of ours, only a finding at an operation that the mutant concerns counts; of the peers, whatever they notice. */
async function caught(): Promise<Row[]> {
  const chosen = mutants.filter((_, i) => i % EVERY === 0)
  const target = await startTarget()
  const ours: Peer = { name: OURS, notices: isNamedByUs, close: () => {} }
  const peers = [ours, await startPrism(target), createRespect(target)]
  try {
    const shares: Record<string, number> = {}
    for (const { name, notices } of peers) {
      let count = 0
      for (const mutant of chosen) if (await notices(mutant)) count++
      shares[name] = (100 * count) / chosen.length
    }
    const figure = `mutants noticed, of ${chosen.length}`
    return rowsOf({ figure, unit: '%', better: 'higher' }, shares, (subject) => subject === OURS)
  } finally {
    for (const peer of peers) peer.close()
    await target.close()
  }
}

async function isNamedByUs({ id }: Mutant): Promise<boolean> {
  const said = await wrong.find((it) => it.id === id)?.run()
  return said?.length === 0
}
