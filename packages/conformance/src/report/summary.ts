import { isFailing, type ReportOptions } from './options.ts'
import type { Result, RuleResult } from './result.ts'
import { count, number, oneLine } from './text.ts'

export interface Counts {
  readonly critical: number
  readonly failures: number
  readonly deviations: number
  readonly baselined: number
  readonly passed: number
  readonly failed: number
  readonly inconclusive: number
  readonly notAssessed: number
}

export function countsOf({ rules, findings, baselined }: Result): Counts {
  const having = (status: RuleResult['status']) => rules.filter((it) => it.status === status).length
  const failures = findings.filter(({ kind }) => kind === 'failure').length
  return {
    critical: findings.filter(({ severity }) => severity === 'critical').length,
    failures,
    deviations: findings.length - failures,
    baselined: baselined.length,
    passed: having('passed'),
    failed: having('failed'),
    inconclusive: having('inconclusive'),
    notAssessed: having('not-assessed'),
  }
}

/** The figures that most reports show. */
export function figuresOf(result: Result): (readonly [name: string, value: number])[] {
  const counts = countsOf(result)
  return [
    ['Critical', counts.critical],
    ['Failures', counts.failures],
    ['Deviations', counts.deviations],
    ['In the baseline', counts.baselined],
    ['Rules passed', counts.passed],
    ['Rules failed', counts.failed],
    ['Inconclusive', counts.inconclusive],
    ['Not assessed', counts.notAssessed],
    ['Cases', result.cases],
  ]
}

/** An interrupted run does not count as passed, since it may have missed failures. */
export type Outcome = 'passed' | 'failed' | 'interrupted'

export function outcomeOf(result: Result, options: ReportOptions): Outcome {
  if (result.interrupted !== undefined) return 'interrupted'
  return result.findings.some((it) => isFailing(it, options)) ? 'failed' : 'passed'
}

/**
 * Summarizes a run in one sentence.
 *
 * @example
 * summaryOf(result, {}) // 'http://127.0.0.1:4020/ fails: 12 failures (3 critical findings), 27 deviations; …'
 */
export function summaryOf(result: Result, options: ReportOptions): string {
  const { critical, failures, deviations, passed, failed, baselined } = countsOf(result)
  const service = nameOf(result)
  const rules = `${number(passed + failed)} of ${count(result.rules.length, 'rule')} assessed`
  const severe = critical > 0 ? ` (${count(critical, 'critical finding')})` : ''
  const found = `${count(failures, 'failure')}${severe}, ${count(deviations, 'deviation')}`
  if (result.interrupted !== undefined)
    return `${service}: interrupted (${oneLine(result.interrupted)}). So far ${found}; ${rules}.`
  if (passed + failed === 0) return `${service}: nothing could be assessed.`
  const known = baselined > 0 ? `, ${number(baselined)} more in the baseline` : ''
  const verb = outcomeOf(result, options) === 'failed' ? 'fails' : 'passes'
  return `${service} ${verb}: ${found}${known}; ${rules}.`
}

/** The URL of the service; for recorded traffic, with a prefix. */
export function nameOf({ target, url }: Result): string {
  return target === 'traffic' ? `Traffic with ${oneLine(url)}` : oneLine(url)
}

export function factsOf(
  { contract, seed, target, changedElsewhere, forgotten }: Result,
  { failOn = 'failure' }: ReportOptions,
): string[] {
  return [
    `${contract.title} ${contract.version}`,
    ...(target === 'traffic' ? [] : [`seed ${seed}`]),
    ...(failOn === 'failure' ? [] : [`fails on ${failOn}`]),
    ...(changedElsewhere > 0 ? [`${count(changedElsewhere, 'record')} changed by somebody else`] : []),
    ...(forgotten > 0 ? [`${count(forgotten, 'old record')} forgotten`] : []),
  ].map(oneLine)
}
