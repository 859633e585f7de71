import type { CheckOptions } from '../engine/options.ts'
import type { Finding, Result } from '../engine/result.ts'
import type { Rule } from '../engine/rule.ts'
import { profile } from '../profiles/index.ts'
import { COULD_NOT_RUN, codeOfInterruption } from '../report/summary.ts'
import { renderFindings } from '../report/terminal.ts'
import { warningsOf } from './credentials.ts'
import type { Flags } from './flags.ts'
import { optionsOf } from './options.ts'
import { styleOfOutput, tell } from './print.ts'
import { checked } from './run.ts'
import { readSpec, type Spec } from './spec.ts'
import { refuse } from './usage.ts'

/** Runs the rule and the operation of a finding alone, and says whether it still shows: exit code 1 where it does. */
export async function replay(id: string | undefined, flags: Flags): Promise<number> {
  const scope = scopeOf(id)
  const spec = await readSpec(flags.spec)
  const options = optionsOf(flags, process.env, spec.contract)
  for (const warning of warningsOf(flags)) tell(`Warning: ${warning}.`)
  const result = await sought(options, scope)
  const { text, code } = judged(result, scope)
  print({ ...result, findings: inQuestion(result, scope) }, { text, json: flags.json, spec })
  return code
}

interface Scope {
  readonly id: string
  readonly rule: Rule
  /** Undefined where it is about all of them. */
  readonly operation: string | undefined
}

/** The rule and the operation that an id names: `rule:operation:hash`. */
function scopeOf(id = ''): Scope {
  const [, name, operation = ''] = /^([a-z0-9-]+):(.+):[0-9a-f]{8}$/.exec(id) ?? []
  const rule = profile.rules.find((it) => it.id === name)
  if (!rule)
    return refuse(`replay needs the id of a finding, such as no-auth-refused:listUsers:1a2b3c4d, got "${id}"`)
  return { id, rule, operation: operation === 'all' ? undefined : operation }
}

/**
 * The smallest run that shows a finding. What is asked of every answer needs answers that other rules bring about: first
 * those of a few, and where they do not show it, those of all, since any of them may have.
 */
async function sought(options: CheckOptions, { id, rule, operation }: Scope): ReturnType<typeof checked> {
  const about = operation === undefined ? options : { ...options, operations: [operation] }
  const few = await checked({ ...about, only: [rule.id] })
  const isEnough =
    rule.run !== undefined || few.interrupted !== undefined || few.findings.some((it) => it.id === id)
  return isEnough ? few : checked(about)
}

/** Findings of the rule and the operation: the one that is asked about where it shows, else others. */
function inQuestion({ findings }: Result, { id, rule, operation }: Scope): readonly Finding[] {
  const own = findings.filter((it) => it.id === id)
  return own.length > 0 ? own : findings.filter((it) => it.rule === rule.id && it.operation === operation)
}

function judged(result: Result, { id, rule }: Scope): { text: string; code: number } {
  const finding = result.findings.find((it) => it.id === id)
  // What is replayed is asked about: a deviation counts too.
  if (finding) return { text: `${id} still shows.`, code: 1 }
  if (result.interrupted !== undefined)
    return {
      text: `${id} could not be tried: ${result.interrupted}.`,
      code: codeOfInterruption(result.interrupted),
    }
  const tried = result.rules.find((it) => it.rule === rule.id)
  if (tried?.status === 'not-assessed')
    return { text: `${id} could not be tried: ${tried.reason}.`, code: COULD_NOT_RUN }
  return { text: `${id} does not show any more.`, code: 0 }
}

function print(result: Result, { text, json, spec }: { text: string; json: boolean; spec: Spec }): void {
  if (json) {
    tell(text)
    process.stdout.write(`${JSON.stringify(result)}\n`)
    return
  }
  const shown = renderFindings(result, { ...styleOfOutput(), locate: spec.locate })
  process.stdout.write(`${text}\n${shown && `\n${shown}`}`)
}
