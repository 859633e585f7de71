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
  const { contract, target, url, seed, interrupted, startedAt, ms } = result
  const properties = Object.entries({ target, url, seed, interrupted }).flatMap(([name, value]) =>
    value === undefined ? [] : [markup`\n      <property name="${name}" value="${value}"/>`],
  )
  const suites = subjectsOf(result).map(([subject, rules]) => ({
    subject,
    cases: rules.map((it) => caseOf(it, result, options)),
  }))
  const shown = suites.map(
    ({ subject, cases }) => markup`
  <testsuite name="${subject}"${totalsOf(cases)} errors="0" timestamp="${startedAt}">
    <properties>${properties}
    </properties>${cases}
  </testsuite>`,
  )
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${contract.title} ${contract.version}"${totalsOf(suites.flatMap(({ cases }) => cases))} time="${(ms / 1000).toFixed(3)}">${shown}
</testsuites>
`.html
}

interface Case extends Markup {
  readonly outcome: 'failure' | 'skipped' | undefined
}

function caseOf(rule: RuleResult, { findings, baselined }: Result, options: ReportOptions): Case {
  const isOwn = (it: Finding) => it.rule === rule.rule
  const [own, known] = [findings.filter(isOwn), baselined.filter(isOwn)]
  const { failing = [], others = [] } = Object.groupBy(own, (it) =>
    isFailing(it, options) ? 'failing' : 'others',
  )
  const shown = [...others, ...known]
  const [first] = failing
  const more = failing.length > 1 ? ` (and ${failing.length - 1} more)` : ''
  const why = own.length > 0 ? undefined : skippedOf(rule, known.length)
  const children = [
    first &&
      markup`\n      <failure message="${first.message}${more}" type="${first.kind}">${textOf(failing, options)}</failure>`,
    why === undefined ? undefined : markup`\n      <skipped message="${why}"/>`,
    shown.length > 0
      ? markup`\n      <system-out>${textOf(shown, options)}</system-out>`
      : undefined,
  ].filter((it) => it !== undefined)
  return {
    ...markup`\n    <testcase classname="${rule.subject}" name="${rule.rule}">${children}\n    </testcase>`,
    outcome: first ? 'failure' : why === undefined ? undefined : 'skipped',
  }
}

function skippedOf({ status }: RuleResult, known: number): string | undefined {
  if (known > 0) return `The baseline accepts ${count(known, 'finding')}.`
  return status === 'passed' || status === 'failed' ? undefined : worded(status)
}

function textOf(findings: readonly Finding[], options: ReportOptions): string {
  const texts = findings.map((finding) => {
    const { id, kind, severity, operation, message } = finding
    const group = { first: finding, findings: [finding], operations: [] }
    return [
      [`${severity} (${kind}) ${id}`, operation].filter(Boolean).join(', '),
      message,
      ...detailsOf(group, options).map(([label, text]) => `${label}: ${text}`),
      ...commandsOf(finding, options),
    ].join('\n')
  })
  return texts.join('\n\n')
}

function totalsOf(cases: readonly Case[]): Markup {
  const having = (outcome: Case['outcome']) => cases.filter((it) => it.outcome === outcome).length
  return markup` tests="${cases.length}" failures="${having('failure')}" skipped="${having('skipped')}"`
}
