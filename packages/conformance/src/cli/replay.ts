import { laws } from '../laws/index.ts'
import { fails } from '../report/summary.ts'
import type { CheckOptions } from '../run/options.ts'
import { warningsOf } from './credentials.ts'
import type { Flags } from './flags.ts'
import { optionsOf } from './options.ts'
import { printResult, tell } from './print.ts'
import { COULD_NOT_RUN, checked } from './run.ts'
import { readSpec } from './spec.ts'
import { refuse } from './usage.ts'

/** Runs the law and the operation of a finding alone, and says whether it still shows: exit code 1 where it does. */
export async function replay(id: string | undefined, flags: Flags): Promise<number> {
  const scope = scopeOf(id)
  const spec = await readSpec(flags.spec)
  const options = optionsOf(flags, process.env, spec.contract)
  for (const warning of warningsOf(flags)) tell(`Warning: ${warning}.`)
  const { result, exitCode } = await checked({ ...options, ...scope })
  if (exitCode !== undefined) return exitCode
  const finding = result.findings.find((it) => it.id === id)
  printResult({ ...result, findings: finding ? [finding] : [] }, { json: flags.json, locate: spec.locate })
  const law = result.laws.find((it) => id?.startsWith(`${it.law}:`))
  if (!finding && law?.status === 'not-assessed') {
    tell(`${id} could not be tried: ${law.reason}.`)
    return COULD_NOT_RUN
  }
  if (!finding && result.interrupted !== undefined) {
    tell(`${id} could not be tried: ${result.interrupted}.`)
    return COULD_NOT_RUN
  }
  tell(finding ? `${id} still shows.` : `${id} does not show any more.`)
  // What is replayed is asked about: a discovery counts too.
  return finding && fails(finding, { strict: true }) ? 1 : 0
}

/** The law and the operation that an id names: `law:operation:hash`. */
function scopeOf(id: string | undefined): Pick<CheckOptions, 'only' | 'operations'> {
  const [, name, operation = ''] = /^([a-z0-9-]+):(.+):[0-9a-f]{8}$/.exec(id ?? '') ?? []
  const law = laws.find((it) => it.id === name)
  if (!law)
    refuse(`replay needs the id of a finding, such as no-auth-refused:listUsers:1a2b3c4d, got "${id ?? ''}"`)
  const operations = operation === 'all' ? {} : { operations: [operation] }
  // What is asked of every answer needs the answers that other laws bring about.
  return law?.run ? { only: [law.id], ...operations } : operations
}
