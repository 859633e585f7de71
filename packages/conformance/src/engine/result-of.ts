import { laws as allLaws } from '../rules/index.ts'
import { signInOf } from '../transport/sign-in.ts'
import { isInside, notAssessed } from './assessed.ts'
import { questionOf } from './judging.ts'
import type { Run } from './prepare.ts'
import type { LawResult, Result } from './result.ts'
import type { Law } from './rule.ts'
import { createTally, type Tally, whyNothing } from './tally.ts'

/** What a run found. */
export function resultOf(run: Run): Result {
  const { options, contract, judge, sender, seed, target, base } = run
  const laws = allLaws.map((law) => lawResult(run, law))
  const findings = judge.findings().map((it) => (options.strict ? { ...it, severity: 'error' as const } : it))
  return {
    target,
    url: base.href,
    contract: { title: contract.title, version: contract.version },
    strict: options.strict ?? false,
    ...(run.stop.reason !== undefined && { interrupted: run.stop.reason }),
    seed,
    shard: options.shard && `${options.shard.i}/${options.shard.n}`,
    startedAt: new Date(run.started).toISOString(),
    ms: Date.now() - run.started,
    requests: sender.count,
    cases: casesOf(run),
    laws,
    findings,
    baselined: [],
    verdicts: run.verdicts.all(laws),
    coverage: run.coverage.result(),
    left: run.undo.left,
    ...signInPart(run),
  }
}

function signInPart({ contract, base }: Run): Pick<Result, 'signIn'> {
  const signIn = signInOf(contract, base)
  return signIn === undefined ? {} : { signIn }
}

/** Every answer is one case of what is asked of all of them, and laws have cases of their own. */
export function casesOf({ sender, tallies }: Run): number {
  const own = allLaws.filter(({ everyAnswer }) => !everyAnswer)
  return own.reduce((sum, { id }) => sum + (tallies.get(id)?.cases ?? 0), sender.count)
}

function lawResult(run: Run, law: Law): LawResult {
  const tally = run.tallies.get(law.id) ?? createTally()
  const { cases, masked, maskedBy } = tally
  const skipped = notAssessed(run, law)
  const isBroken = run.judge.count(law.id) > 0
  const { id, title, phase } = law
  const nothing = cases === 0 ? reasonOf(run, law, tally) : undefined
  const reason = skipped ?? run.failed.get(id) ?? nothing
  const status = isBroken ? 'broken' : reason === undefined ? 'held' : 'not-assessed'
  const ms = Math.round(run.took.get(id) ?? 0)
  return {
    law: id,
    title,
    phase,
    question: questionOf(run.contract, law),
    status,
    ...(!isInside(run, law) && { isOutside: true as const }),
    reason: isBroken ? undefined : reason,
    cases: cases + masked,
    masked,
    ...(maskedBy.length > 0 && { maskedBy: maskedBy.toSorted((a, b) => b.count - a.count) }),
    ms,
  }
}

/** Why a law that applies had nothing to judge. */
function reasonOf(run: Run, { id, everyAnswer }: Law, tally: Tally): string {
  if (run.stop.reason !== undefined && !run.took.has(id)) return 'interrupted'
  return everyAnswer && tally.masked === 0 ? 'no answer that it is about came' : whyNothing(tally)
}
