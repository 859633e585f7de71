import { commandsOf, detailsOf } from './findings.ts'
import type { Finding, Result, RuleResult } from './result.ts'
import { isFailing, type ReportOptions, subjectsOf, worded } from './summary.ts'
import { count, type Markup, markup } from './text.ts'

/**
 * Renders a result as JUnit XML: a suite per subject, a case per rule. A rule without a case, or
 * whose findings the baseline accepts, is skipped. Findings that do not fail the run are in the
 * output of their rule.
 */
export function renderJunit(result: Result, options: ReportOptions = {}): string {
  const { contract, startedAt, ms } = result
  const properties = propertiesOf(result)
  const suites = subjectsOf(result).map(([subject, rules]) => ({
    subject,
    cases: rules.map((rule) => caseOf(rule, result, options)),
    time: secondsOf(rules.reduce((sum, { ms }) => sum + ms, 0)),
  }))
  const allCases = suites.flatMap(({ cases }) => cases)
  const shown = suites.map(
    ({ subject, cases, time }) => markup`
  <testsuite name="${subject}"${totalsOf(cases)} errors="0" time="${time}" timestamp="${startedAt}">
    <properties>${properties}
    </properties>${cases}
  </testsuite>`,
  )
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${contract.title} ${contract.version}"${totalsOf(allCases)} time="${secondsOf(ms)}">${shown}
</testsuites>
`.html
}

function secondsOf(ms: number): string {
  return (ms / 1000).toFixed(3)
}

/** What the run was, for each suite. */
function propertiesOf({ target, url, seed, interrupted }: Result): Markup[] {
  const properties = [
    propertyOf('target', target),
    propertyOf('url', url),
    propertyOf('seed', seed),
  ]
  if (interrupted !== undefined) properties.push(propertyOf('interrupted', interrupted))
  return properties
}

function propertyOf(name: string, value: string | number): Markup {
  return markup`\n      <property name="${name}" value="${value}"/>`
}

interface Case extends Markup {
  readonly outcome: 'failure' | 'skipped' | undefined
}

function caseOf(rule: RuleResult, { findings, baselined }: Result, options: ReportOptions): Case {
  const isOfRule = (finding: Finding) => finding.rule === rule.rule
  const unknown = findings.filter(isOfRule)
  const known = baselined.filter(isOfRule)
  const failing = unknown.filter((finding) => isFailing(finding, options))
  const others = unknown.filter((finding) => !isFailing(finding, options))
  const whySkipped = unknown.length > 0 ? undefined : skippedOf(rule, known.length)

  const [first] = failing
  const children: Markup[] = []
  if (first) children.push(failureOf(first, failing, options))
  if (whySkipped !== undefined) children.push(markup`\n      <skipped message="${whySkipped}"/>`)
  const output = [...others, ...known]
  if (output.length > 0)
    children.push(markup`\n      <system-out>${textOf(output, options)}</system-out>`)

  let outcome: Case['outcome']
  if (first) outcome = 'failure'
  else if (whySkipped !== undefined) outcome = 'skipped'

  const element = markup`\n    <testcase classname="${rule.subject}" name="${rule.rule}" time="${secondsOf(rule.ms)}">${children}\n    </testcase>`
  return { ...element, outcome }
}

/** One element for all findings of a rule, since readers show only one. */
function failureOf(
  { message, kind }: Finding,
  failing: readonly Finding[],
  options: ReportOptions,
): Markup {
  const more = failing.length > 1 ? ` (and ${failing.length - 1} more)` : ''
  return markup`\n      <failure message="${message}${more}" type="${kind}">${textOf(failing, options)}</failure>`
}

/** Why a rule is skipped; undefined if it is not. */
function skippedOf({ status }: RuleResult, known: number): string | undefined {
  if (known > 0) return `The baseline accepts ${count(known, 'finding')}.`
  return status === 'passed' || status === 'failed' ? undefined : worded(status)
}

function textOf(findings: readonly Finding[], options: ReportOptions): string {
  const texts = findings.map((finding) => linesOf(finding, options).join('\n'))
  return texts.join('\n\n')
}

function linesOf(finding: Finding, options: ReportOptions): string[] {
  const { id, kind, severity, operation, message } = finding
  const group = { first: finding, findings: [finding], operations: [] }
  const title = `${severity} (${kind}) ${id}`
  const details = detailsOf(group, options).map(([label, text]) => `${label}: ${text}`)
  return [
    operation ? `${title}, ${operation}` : title,
    message,
    ...details,
    ...commandsOf(finding, options),
  ]
}

function totalsOf(cases: readonly Case[]): Markup {
  const having = (outcome: Case['outcome']) => cases.filter((it) => it.outcome === outcome).length
  return markup` tests="${cases.length}" failures="${having('failure')}" skipped="${having('skipped')}"`
}
