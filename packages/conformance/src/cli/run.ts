import { check } from '../check.ts'
import type { CheckOptions } from '../engine/options.ts'
import type { Result } from '../engine/result.ts'
import { createProgress } from '../report/progress.ts'
import { AT_A_TIME, IN_ALL } from '../transport/tracked-resources.ts'
import { baselined, checkWriting, entriesOf } from './baseline.ts'
import { conclude } from './conclude.ts'
import { warningsOf } from './credentials.ts'
import type { Flags } from './flags.ts'
import { readGate } from './gate.ts'
import { interruptible } from './interrupt.ts'
import { optionsOf } from './options.ts'
import { tell } from './print.ts'
import { readReports } from './reports.ts'
import { readSpec } from './spec.ts'

/** What is said before anything is made on a live service. */
const LIVE = `A live service: at most ${AT_A_TIME} records are there at a time and ${IN_ALL} are made in all; each is removed. If it is a sandbox or a mock, say so with --kind.`

/** Checks a service, and says what was found. */
export async function runCheck(flags: Flags): Promise<number> {
  const wanted = readReports(flags.report)
  const gate = readGate(flags['min-coverage'])
  const entries = entriesOf(flags)
  checkWriting(flags)
  const spec = await readSpec(flags.spec)
  const options = optionsOf(flags, process.env, spec.contract)
  for (const warning of warningsOf(flags)) tell(`Warning: ${warning}.`)
  const found = await checked(options)
  const { result, notes } = baselined(found, entries)
  // Of a part of the rules, or an interrupted run, it says nothing that an entry did not show.
  const isWhole = found.interrupted === undefined && !options.only && !options.operations && !options.shard
  return conclude(result, { flags, spec, wanted, gate, notes: isWhole ? notes : [] })
}

/** Runs a check that Ctrl-C ends early, with progress. */
export async function checked(options: CheckOptions): Promise<Result> {
  const progress = createProgress(process.stderr)
  const began = performance.now()
  const { signal, done } = interruptible(() => {
    progress.end()
    tell('Interrupted: removing what the run made. Ctrl-C again ends at once, and leaves it.')
  })
  try {
    return await check({
      ...options,
      signal,
      onReached: () => {
        if (options.target === 'live') tell(LIVE)
      },
      onProgress: (it) => signal.aborted || progress.update({ ...it, ms: performance.now() - began }),
    })
  } finally {
    progress.end()
    done()
  }
}
