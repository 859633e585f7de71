import { fileURLToPath } from 'node:url'
import { type Bench, type Row, rowsOf } from '@partner-payments/bench'
import { Program } from '@partner-payments/programs'
import { serve } from '@partner-payments/sandbox'

const OURS = '@partner-payments/conformance'

/** The checker on the sandbox: how long it takes. `scripts/gate.ts` says how much it finds. */
export const bench: Bench = {
  title: 'conformance: a running service against its contract',
  run: wholeRun,
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
