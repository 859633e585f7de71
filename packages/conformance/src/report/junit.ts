import type { Finding, Result } from '../engine/result.ts'
import { visible } from '../model/visible.ts'
import { locatedFaults } from './contract-faults.ts'
import { commandsOf, detailsOf } from './finding-details.ts'
import { count } from './format-text.ts'
import { isFailing, type ReportOptions } from './options.ts'
import { inconclusiveOf, type JudgedRule, phasesOf } from './rule-results.ts'

/**
 * Renders a result as JUnit XML: a suite per phase, a case per rule. A rule that was not assessed, or whose
 * findings the baseline accepts, is skipped. Findings that do not fail the run are in the output of their rule.
 * An error in the contract is a skipped case, because what it affects was not checked.
 */
export function renderJunit(result: Result, options: ReportOptions = {}): string {
  const suites = [
    ...contractSuite(result, options),
    ...phasesOf(result).map(({ phase, rules }) => ({
      name: phase,
      ms: rules.reduce((sum, { ms }) => sum + ms, 0),
      cases: rules.map((it) => caseOf(it, options)),
    })),
  ]
  const root = {
    name: 'testsuites',
    attributes: {
      name: `${result.contract.title} ${result.contract.version}`,
      ...totalsOf(suites.flatMap(({ cases }) => cases)),
      time: seconds(result.ms),
    },
    children: suites.map(({ name, ms, cases }) => ({
      name: 'testsuite',
      attributes: {
        name,
        ...totalsOf(cases),
        errors: 0,
        time: seconds(ms),
        timestamp: result.startedAt,
      },
      children: [propertiesOf(result), ...cases],
    })),
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml(root, '')}\n`
}

function contractSuite(result: Result, options: ReportOptions) {
  const cases = locatedFaults(result, options).map(({ pointer, at, message }) => ({
    name: 'testcase',
    attributes: { classname: 'contract', name: pointer, time: seconds(0) },
    children: [{ name: 'skipped', attributes: { message: [at, message].filter(Boolean).join(' ') } }],
  }))
  return cases.length > 0 ? [{ name: 'contract', ms: 0, cases }] : []
}

function propertiesOf({ target, url, seed, shard, interrupted }: Result): Element {
  const properties = Object.entries({ target, url, seed, shard, interrupted })
  const children = properties.flatMap(([name, value]) =>
    value === undefined ? [] : [{ name: 'property', attributes: { name, value: String(value) } }],
  )
  return { name: 'properties', children }
}

function caseOf(rule: JudgedRule, options: ReportOptions): Element {
  const failing = rule.findings.filter((it) => isFailing(it, options))
  const others = [...rule.findings.filter((it) => !isFailing(it, options)), ...rule.baselined]
  const output = [inconclusiveOf(rule), ...others.map((it) => textOf(it, rule, options))].filter(Boolean)
  return {
    name: 'testcase',
    attributes: { classname: rule.phase, name: rule.rule, time: seconds(rule.ms) },
    children: [
      failing.length > 0 ? failureOf(failing, rule, options) : skippedOf(rule),
      output.length > 0 ? { name: 'system-out', children: [output.join('\n\n')] } : undefined,
    ],
  }
}

function failureOf(findings: readonly Finding[], rule: JudgedRule, options: ReportOptions): Element {
  const [first] = findings
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : ''
  return {
    name: 'failure',
    attributes: { message: `${first?.message}${more}`, type: first?.kind },
    children: [findings.map((it) => textOf(it, rule, options)).join('\n\n')],
  }
}

function skippedOf({ status, reason, findings, baselined }: JudgedRule): Element | undefined {
  if (status === 'not-assessed') return { name: 'skipped', attributes: { message: reason } }
  if (baselined.length === 0 || findings.length > 0) return undefined
  const message = `The baseline accepts ${count(baselined.length, 'finding')}.`
  return { name: 'skipped', attributes: { message } }
}

function textOf(finding: Finding, rule: JudgedRule, options: ReportOptions): string {
  const { id, kind, severity, operation, message } = finding
  const group = { first: finding, findings: [finding], operations: [], effects: [] }
  return [
    [`${severity} (${kind}) ${id}`, operation].filter(Boolean).join(', '),
    message,
    ...detailsOf(group, { rules: [rule] }, options).map(([label, text]) => `${label}: ${text}`),
    ...commandsOf(finding, options),
  ].join('\n')
}

function totalsOf(cases: readonly Element[]): Readonly<Record<string, number>> {
  const having = (name: string) =>
    cases.filter(({ children = [] }) => children.some((it) => typeof it === 'object' && it.name === name))
      .length
  return { tests: cases.length, failures: having('failure'), skipped: having('skipped') }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
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
