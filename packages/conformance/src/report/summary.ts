import { MAX_PATH_LENGTH, MAX_UNNAMED_FIELDS } from '../contract/bodies.ts'
import { requestsValid } from '../traffic.ts'
import { findFewAcceptedReason } from './acceptance.ts'
import { chooseChapter, groupFindings } from './groups.ts'
import type { Finding, Result, RuleResult } from './result.ts'
import { count, number, oneLine } from './text.ts'

/** What fails a run, from the strictest condition to the widest. */
export const FAIL_ON = ['critical', 'failure', 'money', 'deviation'] as const

/** What was read: requests of a run, a recording, or what passed through a proxy. */
export type EvidenceKind = 'run' | 'har' | 'proxy'

/** Options of all reports. */
export interface ReportOptions {
  /** Default: `failure`. */
  readonly failOn?: (typeof FAIL_ON)[number]
  /**
   * The source location of a JSON pointer (RFC 6901) into the contract; undefined if it is unknown.
   */
  readonly locate?: ((pointer: string) => Location | undefined) | undefined
  /** The same, where the reader of a report may lack the files. Default: `locate`. */
  readonly locateAnywhere?: ((pointer: string) => Location | undefined) | undefined
  /** URL of the docs, without a trailing slash. */
  readonly docs?: string | undefined
  /** Builds the command that checks for a finding again. Default: none is shown. */
  readonly repeat?: ((finding: Finding) => string) | undefined
  /** What was read. Default: a run. */
  readonly evidence?: EvidenceKind
  /** Whether a run was restricted to rules or operations. Default: false. */
  readonly isPart?: boolean
  /** Version of this package. */
  readonly version?: string
}

/** A line in a file of the contract. */
export interface Location {
  /** Relative path, with slashes. */
  readonly file: string
  /** From 1. */
  readonly line: number
}

/**
 * Whether a finding makes the run fail. A failure breaks a fact of the contract, and a deviation differs
 * from an assumption. A critical one always fails; of the others, the option `failOn` decides.
 */
export function isFailing(
  { kind, severity }: Finding,
  { failOn = 'failure' }: ReportOptions,
): boolean {
  if (severity === 'critical') return true

  switch (failOn) {
    case 'critical':
      return false
    case 'failure':
      return kind === 'failure'
    case 'money':
      // Deviations about money or access are warnings.
      return kind === 'failure' || severity === 'warning'
    case 'deviation':
      return true
  }
}

/** Exit code of a run that could not start or complete. */
export const COULD_NOT_RUN = 2

/**
 * The reason of an interruption, and its exit code as in a shell: 128 plus the number of the
 * signal.
 */
export const INTERRUPTIONS = {
  SIGHUP: ['the terminal was closed', 129],
  SIGINT: ['Ctrl-C', 130],
  SIGTERM: ['SIGTERM', 143],
} as const

/**
 * Chooses the exit code: 0 without findings that fail the run, 1 with one or if few operations accepted a
 * request, 130 after Ctrl-C, 143 after SIGTERM, 129 after the end of its terminal, and 2 if nothing could be
 * assessed, or if something else ended the run before it had a finding that fails it.
 */
export function chooseExitCode(result: Result, options: ReportOptions): number {
  const { findings, interrupted } = result
  const fails = findings.some((finding) => isFailing(finding, options))
  if (interrupted !== undefined) return chooseCodeOfInterruption(interrupted, fails)

  if (fails) return 1
  if (isNothingAssessed(result)) return COULD_NOT_RUN
  // Treated like too little coverage.
  const acceptedFew = findFewAcceptedReason(result) !== undefined
  return acceptedFew ? 1 : 0
}

/** Chooses the exit code of a run that ended early. That the user ended it counts more than what it found. */
function chooseCodeOfInterruption(interruption: string, fails: boolean): number {
  for (const [reason, code] of Object.values(INTERRUPTIONS))
    if (reason === interruption) return code
  return fails ? 1 : COULD_NOT_RUN
}

/**
 * Whether no rule has a case of the service. The rule `requests-valid` judges the requests of an app, and so
 * has cases even if the service does not respond: they say nothing about it.
 */
export function isNothingAssessed({ rules }: Result): boolean {
  const rulesOfService = rules.filter(({ rule }) => rule !== requestsValid.id)
  // With `--only requests-valid`, the requests are what the user wants judged.
  const judgingRules = rulesOfService.length > 0 ? rulesOfService : rules
  return !judgingRules.some(isJudged)
}

function isJudged({ status }: RuleResult): boolean {
  return status === 'passed' || status === 'failed'
}

/**
 * Chooses the outcome of a run for the headings of reports. A run that was interrupted or that assessed too
 * little is not called passed, since it may have missed failures.
 */
export function chooseOutcome(
  result: Result,
  options: ReportOptions,
): 'passed' | 'failed' | 'interrupted' | 'inconclusive' {
  if (result.interrupted !== undefined) return 'interrupted'
  if (result.findings.some((finding) => isFailing(finding, options))) return 'failed'
  const isInconclusive = isNothingAssessed(result) || findFewAcceptedReason(result) !== undefined
  return isInconclusive ? 'inconclusive' : 'passed'
}

/** Counts the findings by kind and severity, and the rules by status: `{ failures: 2, passed: 90, … }`. */
export function countResults({ rules, findings, baselined }: Result) {
  const countRules = (status: RuleResult['status']) =>
    rules.filter((rule) => rule.status === status).length
  const failures = findings.filter(({ kind }) => kind === 'failure').length
  return {
    critical: findings.filter(({ severity }) => severity === 'critical').length,
    failures,
    deviations: findings.length - failures,
    money: findings.filter(({ severity }) => severity === 'warning').length,
    baselined: baselined.length,
    passed: countRules('passed'),
    failed: countRules('failed'),
    inconclusive: countRules('inconclusive'),
    notAssessed: countRules('not-assessed'),
  }
}

/** Lists the figures that most reports show. */
export function listFigures(result: Result): (readonly [name: string, value: number])[] {
  const counts = countResults(result)
  return [
    ['Critical', counts.critical],
    ['Failures', counts.failures],
    ['Deviations', counts.deviations],
    ['Money, access', counts.money],
    ['In the baseline', counts.baselined],
    ['Rules passed', counts.passed],
    ['Rules failed', counts.failed],
    ['Inconclusive', counts.inconclusive],
    ['Not assessed', counts.notAssessed],
    ['Cases', result.cases],
  ]
}

/**
 * Summarizes a run in one sentence.
 *
 * @example
 * summarize(result, {})
 * // 'http://127.0.0.1:4020/ fails: 12 failures (3 critical findings), 27 deviations; …'
 */
export function summarize(result: Result, options: ReportOptions): string {
  const { passed, failed, baselined } = countResults(result)
  const service = describeTarget(result)
  const findings = describeFindings(result)
  const rules = `${number(passed + failed)} of ${count(result.rules.length, 'rule')} assessed`
  if (result.interrupted !== undefined)
    return `${service}: interrupted (${oneLine(result.interrupted)}). So far ${findings}; ${rules}.`

  const outcome = chooseOutcome(result, options)
  if (outcome === 'inconclusive') {
    if (isNothingAssessed(result)) return `${service}: nothing could be assessed.`
    return `${service}: inconclusive. ${findFewAcceptedReason(result)}`
  }

  const verb = outcome === 'failed' ? 'fails' : 'passes'
  const accepted = baselined > 0 ? `, ${number(baselined)} more in the baseline` : ''
  const untried = listUntried(result).length
  const gap = untried > 0 ? `, ${count(untried, 'valid request')} never accepted` : ''
  return `${service} ${verb}: ${findings}${accepted}${gap}; ${rules}.`
}

/** Such as `12 failures (3 critical findings), 27 deviations`. */
function describeFindings(result: Result): string {
  const { critical, failures } = countResults(result)
  const severe = critical > 0 ? ` (${count(critical, 'critical finding')})` : ''
  return `${count(failures, 'failure')}${severe}, ${describeDeviations(result)}`
}

/**
 * Counts the deviations in words: `161 deviations in 25 choices, 2 of money and access`. A choice is a group
 * of deviations that come from one decision of the service.
 */
function describeDeviations({ findings }: Result): string {
  const deviations = findings.filter(({ kind }) => kind === 'deviation')
  const choices = groupFindings(deviations)
  const parts = [count(deviations.length, 'deviation')]
  // With one deviation for each choice, both numbers are equal.
  if (choices.length < deviations.length) parts.push(`in ${count(choices.length, 'choice')}`)

  const choicesOfMoney = choices.filter((choice) => chooseChapter(choice) === 'money').length
  if (choicesOfMoney === 0) return parts.join(' ')
  return `${parts.join(' ')}, ${number(choicesOfMoney)} of money and access`
}

/** Lists what was not tried, because it builds on a valid request that the service never accepted. */
export function listUntried({ notSent }: Result): string[] {
  return notSent.filter((reason) => reason.startsWith('not tried: '))
}

/** Names the service by its URL; recorded traffic, with a prefix. */
export function describeTarget({ target, url }: Result): string {
  return target === 'traffic' ? `Traffic with ${oneLine(url)}` : oneLine(url)
}

/** Lists the facts of a run in words: the contract, its seed, and what was unknown or forgotten. */
export function listFacts(result: Result, { failOn = 'failure' }: ReportOptions): string[] {
  const { contract, seed, target, changedElsewhere, forgotten } = result
  const facts = [`${contract.title} ${contract.version}`]
  if (target !== 'traffic') facts.push(`seed ${seed}`)
  if (failOn !== 'failure') facts.push(`fails on ${failOn}`)
  if (changedElsewhere > 0)
    facts.push(`${count(changedElsewhere, 'record')} changed by somebody else`)
  if (forgotten > 0)
    facts.push(`${number(forgotten)} of the oldest records, tokens and one-time values forgotten`)
  facts.push(...listUnknown(result))
  return facts.map(oneLine)
}

/** Says in words how much of the traffic is unknown, so that no rule reads it: `3 redacted values`. */
export function listUnknown({ unknown }: Pick<Result, 'unknown'>): string[] {
  const { requestBodies, responseBodies, targets, values, fields, headers, times } = unknown
  const facts: string[] = []
  if (requestBodies > 0) facts.push(`${count(requestBodies, 'request')} without a readable body`)
  if (responseBodies > 0) facts.push(`${count(responseBodies, 'response')} without a readable body`)
  if (targets > 0) facts.push(`${count(targets, 'request')} whose path is not in normal form`)
  if (values > 0) facts.push(`${count(values, 'redacted value')}`)
  if (fields > 0)
    facts.push(
      `${count(fields, 'field')} that the contract does not name, beyond the first ${number(MAX_UNNAMED_FIELDS)} of a body or with a path of more than ${number(MAX_PATH_LENGTH)} characters`,
    )
  if (headers > 0) facts.push(`${count(headers, 'message')} without all headers`)
  if (times > 0) facts.push(`${count(times, 'exchange')} without a readable time`)
  return facts
}

/** The names for `--min-coverage`. */
export const GATES: readonly string[] = ['operations', 'rows', 'rules', 'questions']

/**
 * Lists which part of the operations, statuses, rules and open questions was observed, each with the name of
 * the coverage option for it (`gate`): `{ gate: 'operations', seen: 18, all: 20, … }`.
 */
export function listShares({ coverage: { operations, rows }, rules, verdicts }: Result) {
  return [
    {
      gate: 'operations',
      name: 'operations with a success',
      ...computeShare(operations, ({ successes }) => successes > 0),
    },
    {
      gate: 'rows',
      name: 'statuses and media types',
      ...computeShare(rows, ({ seen }) => seen > 0),
    },
    {
      gate: 'rules',
      name: 'rules with a case',
      ...computeShare(rules, isJudged),
    },
    {
      gate: 'questions',
      name: 'open questions with a case',
      ...computeShare(verdicts, ({ exercised }) => exercised > 0),
    },
  ]
}

/** How many items were observed. No percentage if there are none. */
function computeShare<T>(items: readonly T[], isObserved: (item: T) => boolean) {
  const seen = items.filter(isObserved).length
  // Rounded down, so that 100 means all.
  const percent = items.length === 0 ? undefined : Math.floor((100 * seen) / items.length)
  return { seen, all: items.length, percent }
}

/** Groups the rules of each subject. */
export function groupRulesBySubject({
  rules,
}: Result): (readonly [subject: string, rules: readonly RuleResult[]])[] {
  return [...Map.groupBy(rules, ({ subject }) => subject)]
}

/** Writes a status in words: `not assessed`. */
export function writeStatus(status: string): string {
  return status.replace('-', ' ')
}
