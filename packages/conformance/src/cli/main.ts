import { CommanderError } from 'commander'
import { type CheckOptions, check } from '../check.ts'
import { checkHar, HarError, type HarResult } from '../har.ts'
import { readPackage } from '../package.ts'
import { startProxy } from '../proxy.ts'
import { COULD_NOT_RUN } from '../report/exit-codes.ts'
import { createProgress } from '../report/progress.ts'
import type { Result } from '../report/result.ts'
import { rules } from '../rules/index.ts'
import { createCommand, type Flags } from './command.ts'
import { refuse, refuseFile, sentenceOf } from './errors.ts'
import { jsonOf, readText } from './files.ts'
import { optionsOf, reportOptionsOf, requireKnown, targetOf } from './options.ts'
import { conclude, readOutcome } from './outcome.ts'
import { interruptible, keepHeapSmall, log } from './process.ts'
import { readSpec, type Spec } from './spec.ts'

/**
 * Runs the command line and returns the exit code. Never rejects.
 *
 * @param options.name the command as the user typed it, which help and advice repeat
 */
export async function main(
  args: readonly string[],
  { name = 'partner-payments check' }: { readonly name?: string } = {},
): Promise<number> {
  keepHeapSmall()
  try {
    const command = createCommand(name, readPackage().version)
    command.parse(args, { from: 'user' })
    return await runMode(name, command.opts<Flags>())
  } catch (error) {
    // Commander has written its message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : COULD_NOT_RUN
    log(sentenceOf(error))
    return COULD_NOT_RUN
  }
}

async function runMode(name: string, flags: Flags): Promise<number> {
  const mode = flags.listRules ? 'list-rules' : flags.har ? 'har' : flags.proxy ? 'proxy' : 'check'
  requireUseful(mode, flags)
  if (mode === 'list-rules') return listRules(flags)
  const outcome = readOutcome(flags)
  const spec = await readSpec(flags.spec)
  const { result, notes } = await MODES[mode](flags, spec)
  return conclude(result, { flags, outcome, options: reportOptionsOf(name, flags, spec), notes })
}

/** A result, and what to print after it. */
interface Ran {
  readonly result: Result
  readonly notes: readonly string[]
}

const MODES: Readonly<Record<'check' | 'har' | 'proxy', (flags: Flags, spec: Spec) => Promise<Ran>>> = {
  check: async (flags, spec) => ({
    result: await checkWithProgress(await optionsOf(flags, spec, process.env)),
    notes: [],
  }),
  har: judgeHar,
  proxy: judgeProxied,
}

const TRAFFIC = ['spec', 'complete', 'failOn', 'baseline', 'writeBaseline', 'until', 'minCoverage']
const OUTPUT = ['report', 'docs', 'json', 'verbose']
/** The options that have an effect in a mode. In a check, all but these. */
const USEFUL: Readonly<Record<string, readonly string[]>> = {
  har: ['har', 'target', 'only', 'operation', ...TRAFFIC, ...OUTPUT],
  proxy: ['proxy', 'port', ...TRAFFIC, ...OUTPUT],
  'list-rules': ['listRules', 'json', 'failOn'],
}

/**
 * Rejects options that have no effect, such as a gate that would never fail.
 *
 * @throws {UsageError} with the first of them
 */
function requireUseful(mode: string, flags: Flags): void {
  const useless = Object.keys(flags).find((it) =>
    mode === 'check' ? it === 'port' : !USEFUL[mode]?.includes(it),
  )
  if (useless === undefined) return
  const option = useless.replaceAll(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)
  refuse(`--${option} does nothing with ${mode === 'check' ? '--target' : `--${mode}`}; see --help`)
}

const LIVE =
  'A live service: the run removes each record that it creates. If it is a sandbox or a mock, say so with --kind.'

/** Runs a check with progress. Ctrl-C ends it early. */
async function checkWithProgress(options: CheckOptions): Promise<Result> {
  const progress = createProgress(process.stderr)
  if ((options.target ?? 'live') === 'live') log(LIVE)
  const interrupt = () => {
    progress.end()
    log('Interrupted: removing what the run created. Ctrl-C again ends at once, and leaves it.')
  }
  const run = (signal: AbortSignal) =>
    check({ ...options, signal, onProgress: (it) => signal.aborted || progress.update(it) })
  return interruptible(interrupt, run).finally(progress.end)
}

async function judgeHar({ har = '', target, complete, only, operation }: Flags, spec: Spec): Promise<Ran> {
  requireKnown({ ...(only && { only }) } as Flags)
  const result = readHar(har, {
    ...(spec.contract && { contract: spec.contract }),
    ...(target !== undefined && { baseUrl: targetOf(target, '--target') }),
    ...(complete && { isComplete: true }),
    ...(only && { only }),
    ...(operation && { operations: operation }),
  })
  const { requests, leftOut, withoutBody } = result
  if (requests === 0)
    refuseFile(
      `${har} has no traffic of the service; give the base URL that it has in the recording with --target`,
    )
  return {
    result,
    notes: [`Left out: ${leftOut} of other hosts or paths, ${withoutBody} without a recorded body.`],
  }
}

function readHar(file: string, options: Parameters<typeof checkHar>[1]): HarResult {
  const har = jsonOf(readText(file, '--har'), file)
  try {
    return checkHar(har, options)
  } catch (error) {
    if (error instanceof HarError) return refuseFile(`${file}: ${error.message}`)
    throw error
  }
}

/** Judges what passes through a proxy until Ctrl-C, which is its usual end. */
async function judgeProxied({ proxy: url, port, complete, json }: Flags, spec: Spec): Promise<Ran> {
  const proxy = await startProxy({
    url: targetOf(url, '--proxy'),
    ...(port !== undefined && { port }),
    ...(spec.contract && { contract: spec.contract }),
    ...(complete && { isComplete: true }),
    onFinding: ({ severity, rule, message }) =>
      json ? undefined : log(`${severity.padEnd(8)}  ${rule}: ${message}`),
  })
  log(`Requests to ${proxy.url} are passed on to ${url}. Ctrl-C ends, and prints the report.`)
  await interruptible(
    () => undefined,
    (signal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
  )
  return { result: await proxy.close(), notes: [] }
}

function listRules({ json }: Flags): number {
  const width = Math.max(...rules.map(({ id }) => id.length))
  const lines = rules.map(({ id, says }) =>
    json ? JSON.stringify({ id, says }) : `${id.padEnd(width)}  ${says}`,
  )
  process.stdout.write(`${lines.join('\n')}\n`)
  return 0
}
