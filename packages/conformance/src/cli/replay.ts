import { currentFindingId, currentId } from '../engine/aliases.ts'
import type { CheckOptions } from '../engine/check-options.ts'
import type { Finding, Result } from '../engine/result.ts'
import type { Rule } from '../engine/rule.ts'
import { profile } from '../profiles/index.ts'
import { COULD_NOT_RUN, codeOfInterruption } from '../report/exit-codes.ts'
import { renderFindings } from '../report/terminal.ts'
import { checkWithProgress } from './check.ts'
import { refuse } from './errors.ts'
import type { Flags } from './flags.ts'
import { readRun, reportOptionsOf } from './options.ts'
import { log, styleOfOutput } from './process.ts'

/** Tries one finding again. Exit code 1 if it still shows, 0 if not, 2 if it could not be tried. */
export async function replay(id: string | undefined, flags: Flags): Promise<number> {
  const scope = scopeOf(id)
  const { spec, options } = await readRun(flags)
  const result = await rerun(options, scope)
  const { text, code } = verdictOf(result, scope)
  const reported = { ...result, findings: related(result, scope) }
  if (flags.has('json')) {
    log(text)
    process.stdout.write(`${JSON.stringify(reported)}\n`)
    return code
  }
  const details = renderFindings(reported, {
    ...styleOfOutput(),
    ...reportOptionsOf(flags, spec, 'deviation'),
  })
  process.stdout.write(`${text}\n${details && `\n${details}`}`)
  return code
}

interface Scope {
  readonly id: string
  readonly rule: Rule
  /** Undefined for a finding about all operations. */
  readonly operation: string | undefined
}

/** Parses an id: `rule:operation:hash`. */
function scopeOf(id = ''): Scope {
  const [, name = '', operation = ''] = /^([a-z0-9-]+):(.+):[0-9a-f]{8}$/.exec(id) ?? []
  const rule = profile.rules.find((it) => it.id === currentId(name))
  if (!rule)
    return refuse(
      `replay needs the id of a finding, such as credentials-required:listUsers:1a2b3c4d, got "${id}"`,
    )
  return { id: currentFindingId(id), rule, operation: operation === 'all' ? undefined : operation }
}

/**
 * Widens the run until the finding shows: the rule on its operation, the rule on all operations, and, for a rule
 * that judges responses, all rules. Only the last run can prove that a finding is gone.
 */
async function rerun(options: CheckOptions, { id, rule, operation }: Scope): Promise<Result> {
  const only = { only: [rule.id] }
  const about = operation === undefined ? {} : { operations: [operation] }
  const judgesOthers = rule.judgeResponse !== undefined
  const runs: readonly Partial<CheckOptions>[] = [
    { ...only, ...about },
    ...(judgesOthers ? [about] : []),
    ...(operation === undefined ? [] : [judgesOthers ? {} : only]),
  ]
  let result: Result | undefined
  for (const run of runs) {
    result = await checkWithProgress({ ...options, ...run })
    if (result.interrupted !== undefined || result.findings.some((it) => it.id === id)) break
  }
  return result as Result
}

/** The finding, or others of the same rule and operation. */
function related({ findings }: Result, { id, rule, operation }: Scope): readonly Finding[] {
  const own = findings.filter((it) => it.id === id)
  return own.length > 0 ? own : findings.filter((it) => it.rule === rule.id && it.operation === operation)
}

function verdictOf(result: Result, { id, rule }: Scope): { text: string; code: number } {
  const { interrupted, findings, rules } = result
  if (findings.some((it) => it.id === id)) return { text: `${id} still shows.`, code: 1 }
  if (interrupted !== undefined)
    return { text: `${id} could not be tried: ${interrupted}.`, code: codeOfInterruption(interrupted) }
  const own = rules.find((it) => it.rule === rule.id)
  if (own?.status === 'not-assessed')
    return { text: `${id} could not be tried: ${own.reason}.`, code: COULD_NOT_RUN }
  return { text: `${id} does not show any more.`, code: 0 }
}
