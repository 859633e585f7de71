import { commandsOf, detailsOf } from './details.ts'
import { isFailing, type ReportOptions } from './options.ts'
import type { Finding, Result, RuleResult } from './result.ts'
import { subjectsOf } from './tables.ts'
import { count, visible } from './text.ts'

/**
 * Renders a result as JUnit XML: a suite per subject, a case per rule. A rule without a case, or whose findings the
 * baseline accepts, is skipped. Findings that do not fail the run are in the output of their rule.
 */
export function renderJunit(result: Result, options: ReportOptions = {}): string {
  const suites = subjectsOf(result).map(({ subject, rules }) => ({
    subject,
    cases: rules.map((it) => caseOf(it, result, options)),
  }))
  const time = (result.ms / 1000).toFixed(3)
  const root = {
    name: 'testsuites',
    attributes: {
      name: `${result.contract.title} ${result.contract.version}`,
      ...totalsOf(suites.flatMap(({ cases }) => cases)),
      time,
    },
    children: suites.map(({ subject, cases }) => ({
      name: 'testsuite',
      attributes: { name: subject, ...totalsOf(cases), errors: 0, timestamp: result.startedAt },
      children: [propertiesOf(result), ...cases],
    })),
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml(root, '')}\n`
}

function propertiesOf({ target, url, seed, interrupted }: Result): Element {
  const children = Object.entries({ target, url, seed, interrupted }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name: 'property', attributes: { name, value: String(value) } }],
  )
  return { name: 'properties', children }
}

function caseOf(rule: RuleResult, { findings, baselined }: Result, options: ReportOptions): Element {
  const isOwn = (it: Finding) => it.rule === rule.rule
  const [own, known] = [findings.filter(isOwn), baselined.filter(isOwn)]
  const failing = own.filter((it) => isFailing(it, options))
  const others = [...own.filter((it) => !isFailing(it, options)), ...known]
  const skipped = own.length === 0 ? skippedOf(rule, known.length) : undefined
  return {
    name: 'testcase',
    attributes: { classname: rule.subject, name: rule.rule },
    children: [
      failing.length > 0 ? failureOf(failing, options) : skipped,
      others.length > 0
        ? { name: 'system-out', children: [others.map((it) => textOf(it, options)).join('\n\n')] }
        : undefined,
    ],
  }
}

function failureOf(findings: readonly Finding[], options: ReportOptions): Element {
  const [first] = findings
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : ''
  return {
    name: 'failure',
    attributes: { message: `${first?.message}${more}`, type: first?.kind },
    children: [findings.map((it) => textOf(it, options)).join('\n\n')],
  }
}

function skippedOf({ status }: RuleResult, known: number): Element | undefined {
  const accepted = known > 0 ? `The baseline accepts ${count(known, 'finding')}.` : undefined
  const message =
    accepted ?? (status === 'passed' || status === 'failed' ? undefined : status.replace('-', ' '))
  return message === undefined ? undefined : { name: 'skipped', attributes: { message } }
}

function textOf(finding: Finding, options: ReportOptions): string {
  const { id, kind, severity, operation, message } = finding
  const group = { first: finding, findings: [finding], operations: [] }
  return [
    [`${severity} (${kind}) ${id}`, operation].filter(Boolean).join(', '),
    message,
    ...detailsOf(group, options).map(([label, text]) => `${label}: ${text}`),
    ...commandsOf(finding, options),
  ].join('\n')
}

function totalsOf(cases: readonly Element[]): Readonly<Record<string, number>> {
  const having = (name: string) =>
    cases.filter(({ children = [] }) => children.some((it) => typeof it === 'object' && it.name === name))
      .length
  return { tests: cases.length, failures: having('failure'), skipped: having('skipped') }
}

/** A string child is text. */
interface Element {
  readonly name: string
  readonly attributes?: Readonly<Record<string, string | number | undefined>>
  readonly children?: readonly (Element | string | undefined)[]
}

function xml({ name, attributes = {}, children = [] }: Element, indent: string): string {
  const pairs = Object.entries(attributes).filter(([, value]) => value !== undefined)
  const start = `${indent}<${name}${pairs.map(([key, value]) => ` ${key}="${attribute(String(value))}"`).join('')}`
  const content = children.filter((child) => child !== undefined)
  if (content.length === 0) return `${start}/>`
  // Elements contain either text or elements, so indentation never becomes text.
  const inner = content.map((it) => (typeof it === 'string' ? text(it) : `\n${xml(it, `${indent}  `)}`))
  const end = typeof content[0] === 'string' ? '' : `\n${indent}`
  return `${start}>${inner.join('')}${end}</${name}>`
}

function text(value: string): string {
  return visible(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** XML parsers turn a newline in an attribute into a space. */
function attribute(value: string): string {
  return text(value).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
}
