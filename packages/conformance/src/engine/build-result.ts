import { signInCommands } from '../transport/shell-commands.ts'
import { isApplicable, notAssessedReason } from './applicability.ts'
import type { Run } from './prepare.ts'
import { contractFields, type Result, type RuleResult } from './result.ts'
import { questionOfRule, type Rule } from './rule.ts'
import { createTally, nothingJudged, type Tally } from './tally.ts'

export function buildResult(run: Run): Result {
  const { options, contract, findingStore, sender, seed, target, base } = run
  const rules = run.profile.rules.map((rule) => ruleResult(run, rule))
  return {
    target,
    url: base.href,
    ...contractFields(contract),
    ...(run.stop.reason !== undefined && { interrupted: run.stop.reason }),
    seed,
    shard: options.shard && `${options.shard.i}/${options.shard.n}`,
    startedAt: new Date(run.started).toISOString(),
    ms: Date.now() - run.started,
    requests: sender.count,
    cases: casesOf(run),
    rules,
    findings: findingStore.findings(),
    baselined: [],
    verdicts: run.verdicts.all(rules),
    coverage: run.coverage.result(),
    leftovers: run.cleanup.leftovers,
    ...signInField(run),
  }
}

function signInField({ contract, base, options }: Run): Pick<Result, 'signIn'> {
  const signIn = signInCommands(contract, base, options.other !== undefined)
  return signIn === undefined ? {} : { signIn }
}

/** Rules that judge responses share one case per response; the other rules count their own. */
export function casesOf({ profile, sender, tallies }: Run): number {
  const own = profile.rules.filter(({ judgeResponse }) => !judgeResponse)
  return own.reduce((sum, { id }) => sum + (tallies.get(id)?.cases ?? 0), sender.count)
}

function ruleResult(run: Run, rule: Rule): RuleResult {
  const tally = run.tallies.get(rule.id) ?? createTally()
  const { cases, inconclusive, inconclusiveBy } = tally
  const skipped = notAssessedReason(run, rule)
  const isBroken = run.findingStore.count(rule.id) > 0
  const { id, title, phase } = rule
  const nothing = cases === 0 ? nothingJudgedReason(run, rule, tally) : undefined
  const reason = skipped ?? run.faults.get(id) ?? nothing
  const status = isBroken ? 'failed' : reason === undefined ? 'passed' : 'not-assessed'
  const ms = Math.round(run.took.get(id) ?? 0)
  return {
    rule: id,
    title,
    phase,
    question: questionOfRule(rule, run.contract),
    status,
    ...(!isApplicable(run, rule) && { isOutside: true as const }),
    reason: isBroken ? undefined : reason,
    cases: cases + inconclusive,
    inconclusive,
    ...(inconclusiveBy.length > 0 && {
      inconclusiveBy: inconclusiveBy.toSorted((a, b) => b.count - a.count),
    }),
    ms,
  }
}

function nothingJudgedReason(run: Run, { id, judgeResponse }: Rule, tally: Tally): string {
  if (run.stop.reason !== undefined && !run.took.has(id)) return 'interrupted'
  return judgeResponse && tally.inconclusive === 0
    ? 'no response that it applies to was received'
    : nothingJudged(tally)
}
