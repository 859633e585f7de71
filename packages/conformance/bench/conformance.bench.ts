import { fileURLToPath } from 'node:url'
import { type Bench, Program, type Row, rowsOf } from '@partner-payments/bench'
import { serve } from '@partner-payments/sandbox'
import { wrong } from '../test/gate.ts'
import { mutants, type Wrong } from '../test/mutants/index.ts'
import { createRespect, type Peer, startPrism } from './peers.ts'
import { startTarget } from './target.ts'

const OURS = '@partner-payments/conformance'

/**
 * The checker on the sandbox: how long it takes, and how much of what is wrong it finds, beside its
 * peers.
 */
export const bench: Bench = {
  title: 'conformance: a running service against its contract',
  run: async () => [...(await wholeRun()), ...(await caught())],
}

const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
const PRINT_MEMORY = `data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS,'kB'))`
const CREDENTIALS = [
  '--client-key=partner',
  '--client-secret=secret',
  '--other-key=other',
  '--other-secret=secret',
]

async function wholeRun(): Promise<Row[]> {
  const sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
  const flags = ['--target', sandbox.url, '--kind', 'sandbox', ...CREDENTIALS, '--json']
  const command = ['--import', PRINT_MEMORY, CLI, ...flags]
  const { stdout, stderr } = await new Program(process.execPath, command).ended
  await sandbox.close()

  const { ms, requests, cases, findings } = JSON.parse(stdout)
  const seconds = ms / 1000
  const kilobytes = Number.parseInt(/\d+ kB$/m.exec(stderr)?.[0] ?? '', 10)
  const row = (figure: string, unit: string, value: number) =>
    rowsOf(`whole run on the sandbox: ${figure}`, unit, { [OURS]: value })
  return [
    ...row('time', 's', seconds),
    ...row('requests', 'requests/s', requests / seconds),
    ...row('cases', 'cases/s', cases / seconds),
    ...row('memory', 'MB', kilobytes / 1024),
    ...row('false alarms', '', findings.length),
  ]
}

/** Every sixth of the mutants; `scripts/gate.ts` tries all. */
const EVERY = 6

/**
 * Of ours, only a finding at an operation that the mutant concerns counts; of the peers, whatever
 * they notice.
 */
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
    return rowsOf(`mutants noticed, of ${chosen.length}`, '%', shares)
  } finally {
    for (const peer of peers) await peer.close()
    await target.close()
  }
}

async function isNamedByUs(mutant: Wrong): Promise<boolean> {
  const said = await wrong[mutants.indexOf(mutant)]?.run()
  return said?.length === 0
}
