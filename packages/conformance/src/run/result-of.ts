import type { Law } from '../law.ts'
import { laws as allLaws } from '../laws/index.ts'
import type { LawResult, Result } from '../result.ts'
import { notAssessed } from './assessed.ts'
import type { Run } from './prepare.ts'

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
    ...(run.stop.reason !== undefined && { interrupted: run.stop.reason }),
  }
}

/** Every answer is one case of what is asked of all of them, and laws have cases of their own. */
export function casesOf({ sender, tallies }: Run): number {
  const own = allLaws.filter(({ everyAnswer }) => !everyAnswer)
  return own.reduce((sum, { id }) => sum + (tallies.get(id)?.cases ?? 0), sender.count)
}

function lawResult(run: Run, law: Law): LawResult {
  const { cases = 0, masked = 0 } = run.tallies.get(law.id) ?? {}
  const skipped = notAssessed(run, law)
  const isBroken = run.judge.count(law.id) > 0
  const nothing =
    masked > 0 ? 'every case was masked: its accepted twin was refused too' : 'no case of it could be tried'
  const failed = run.failed.get(law.id)
  const reason = skipped ?? failed ?? (cases === 0 ? nothing : undefined)
  const status = isBroken ? 'broken' : reason === undefined ? 'held' : 'not-assessed'
  const { id, title, phase } = law
  const question = law.question && run.contract.questions.has(law.question) ? law.question : undefined
  const ms = Math.round(run.took.get(id) ?? 0)
  return {
    law: id,
    title,
    phase,
    question,
    status,
    reason: isBroken ? undefined : reason,
    cases: cases + masked,
    masked,
    ms,
  }
}
