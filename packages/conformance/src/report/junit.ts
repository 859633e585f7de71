import { listCommands, listDetails } from './findings.ts'
import type { Finding, Result, RuleResult } from './result.ts'
import { groupRulesBySubject, isFailing, type ReportOptions, writeStatus } from './summary.ts'
import { count, type Markup, markup } from './text.ts'

/**
 * Renders a result as JUnit XML: a suite per subject, a case per rule. A rule without a case, or
 * whose findings the baseline accepts, is skipped. Findings that do not fail the run are in the
 * output of their rule.
 */
export function renderJunit(result: Result, options: ReportOptions = {}): string {
  const { contract, startedAt, ms } = result
  const properties = renderProperties(result)
  const suites = groupRulesBySubject(result).map(([subject, rules]) => ({
    subject,
    cases: rules.map((rule) => renderCase(rule, result, options)),
    time: toSeconds(rules.reduce((sum, rule) => sum + rule.ms, 0)),
  }))
  const allCases = suites.flatMap(({ cases }) => cases)
  const renderedSuites = suites.map(
    ({ subject, cases, time }) => markup`
  <testsuite name="${subject}"${writeCountAttributes(cases)} errors="0" time="${time}" timestamp="${startedAt}">
    <properties>${properties}
    </properties>${cases}
  </testsuite>`,
  )
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${contract.title} ${contract.version}"${writeCountAttributes(allCases)} time="${toSeconds(ms)}">${renderedSuites}
</testsuites>
`.html
}

/** `1.204` for 1,204 milliseconds. */
function toSeconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

/** Renders the properties of a run, which each suite repeats: what was checked, its URL and the seed. */
function renderProperties({ target, url, seed, interrupted }: Result): Markup[] {
  const properties = [
    renderProperty('target', target),
    renderProperty('url', url),
    renderProperty('seed', seed),
  ]
  if (interrupted !== undefined) properties.push(renderProperty('interrupted', interrupted))
  return properties
}

function renderProperty(name: string, value: string | number): Markup {
  return markup`\n      <property name="${name}" value="${value}"/>`
}

/** The element of a rule, with its outcome for the totals. */
interface Case extends Markup {
  readonly outcome: 'failure' | 'skipped' | undefined
}

/**
 * Renders a rule as a JUnit test case: failed, skipped or passed. Findings of the rule that do not fail the
 * run, or that the baseline accepts, become the output of the case.
 */
function renderCase(
  rule: RuleResult,
  { findings, baselined }: Result,
  options: ReportOptions,
): Case {
  const isOfRule = (finding: Finding) => finding.rule === rule.rule
  const ofRule = findings.filter(isOfRule)
  const accepted = baselined.filter(isOfRule)
  const failing = ofRule.filter((finding) => isFailing(finding, options))
  const tolerated = ofRule.filter((finding) => !isFailing(finding, options))

  const output = renderOutput([...tolerated, ...accepted], options)
  const [first] = failing
  if (first) {
    const failure = renderFailure(first, failing, options)
    return { ...renderTestcase(rule, [failure, ...output]), outcome: 'failure' }
  }

  // Findings that do not fail the run: the rule was judged, and has passed. Else it may be skipped.
  const whySkipped = ofRule.length > 0 ? undefined : findSkipReason(rule, accepted.length)
  if (whySkipped !== undefined) {
    const skipped = markup`\n      <skipped message="${whySkipped}"/>`
    return { ...renderTestcase(rule, [skipped, ...output]), outcome: 'skipped' }
  }
  return { ...renderTestcase(rule, output), outcome: undefined }
}

function renderTestcase({ subject, rule, ms }: RuleResult, children: readonly Markup[]): Markup {
  return markup`\n    <testcase classname="${subject}" name="${rule}" time="${toSeconds(ms)}">${children}\n    </testcase>`
}

/** Renders findings as the output of a case; nothing if there are none. */
function renderOutput(findings: readonly Finding[], options: ReportOptions): Markup[] {
  if (findings.length === 0) return []
  return [markup`\n      <system-out>${describeFindings(findings, options)}</system-out>`]
}

/**
 * Renders the findings that make a rule fail as one `failure` element, since tools that read JUnit show
 * only the first.
 */
function renderFailure(
  { message, kind }: Finding,
  failing: readonly Finding[],
  options: ReportOptions,
): Markup {
  const more = failing.length > 1 ? ` (and ${failing.length - 1} more)` : ''
  return markup`\n      <failure message="${message}${more}" type="${kind}">${describeFindings(failing, options)}</failure>`
}

/** Finds why a rule is skipped; undefined if it is not. */
function findSkipReason({ status }: RuleResult, acceptedFindings: number): string | undefined {
  if (acceptedFindings > 0) return `The baseline accepts ${count(acceptedFindings, 'finding')}.`
  return status === 'passed' || status === 'failed' ? undefined : writeStatus(status)
}

/** Findings as text, with an empty line between them. */
function describeFindings(findings: readonly Finding[], options: ReportOptions): string {
  const texts = findings.map((finding) => describeFinding(finding, options).join('\n'))
  return texts.join('\n\n')
}

/** Lists the lines of text that describe a finding: its title, message, details and commands. */
function describeFinding(finding: Finding, options: ReportOptions): string[] {
  const { id, kind, severity, operation, message } = finding
  const group = { first: finding, findings: [finding], operations: [] }
  const title = `${severity} (${kind}) ${id}`
  const details = listDetails(group, options).map(([label, text]) => `${label}: ${text}`)
  return [
    operation ? `${title}, ${operation}` : title,
    message,
    ...details,
    ...listCommands(finding, options),
  ]
}

/** Writes the attributes of a suite: ` tests="3" failures="1" skipped="0"`. */
function writeCountAttributes(cases: readonly Case[]): Markup {
  const having = (outcome: Case['outcome']) =>
    cases.filter((each) => each.outcome === outcome).length
  return markup` tests="${cases.length}" failures="${having('failure')}" skipped="${having('skipped')}"`
}
