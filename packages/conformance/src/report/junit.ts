import type { BaselinedFinding, Finding, Result } from '../engine/result.ts'
import { again, knownOf } from './again.ts'
import type { Locate } from './locate.ts'
import { type Judgement, judgedRules, maskingsOf } from './rule-results.ts'
import { fails } from './summary.ts'
import { count } from './text.ts'
import { type Element, renderXml } from './xml.ts'

interface Options {
  readonly locate?: Locate
}

/**
 * A run as JUnit's XML: a suite for each phase, a case for each rule. What was not assessed, and what a baseline lets
 * pass, is skipped with the reason; deviations are output of their rule, unless the run is strict.
 */
export function renderJunit(result: Result, options: Options = {}): string {
  const cases = judgedRules(result).map((judged) => ({ judged, element: caseOf(judged, result, options) }))
  const suites = Map.groupBy(cases, ({ judged }) => judged.rule.phase)
  return renderXml({
    name: 'testsuites',
    attributes: {
      name: `${result.contract.title} ${result.contract.version}`,
      ...totalsOf(cases.map(({ element }) => element)),
      time: seconds(result.ms),
    },
    children: [...suites].map(([phase, all]) => suiteOf(phase, all, result)),
  })
}

interface Case {
  readonly judged: Judgement
  readonly element: Element
}

function suiteOf(phase: string, cases: readonly Case[], result: Result): Element {
  const elements = cases.map(({ element }) => element)
  const ms = cases.reduce((sum, { judged }) => sum + judged.rule.ms, 0)
  const attributes = {
    name: phase,
    ...totalsOf(elements),
    errors: 0,
    time: seconds(ms),
    timestamp: result.startedAt,
  }
  return { name: 'testsuite', attributes, children: [propertiesOf(result), ...elements] }
}

function propertiesOf({ target, url, seed, shard, strict, interrupted }: Result): Element {
  const properties = { target, url, seed, shard, strict, interrupted }
  const children = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ name: 'property', attributes: { name, value: String(value) } }))
  return { name: 'properties', children }
}

function caseOf(judged: Judgement, result: Result, options: Options): Element {
  const { rule, findings, baselined } = judged
  const failing = findings.filter((finding) => fails(finding, result))
  const others = findings.filter((finding) => !fails(finding, result))
  const output = [
    inconclusive(judged),
    ...[...others, ...baselined].map((finding) => textOf(finding, options)),
  ]
  return {
    name: 'testcase',
    attributes: { classname: rule.phase, name: rule.rule, time: seconds(rule.ms) },
    children: [
      failing.length > 0 ? failureOf(failing, options) : skippedOf(judged),
      textElement('system-out', output.filter(Boolean).join('\n\n')),
    ],
  }
}

function failureOf(findings: readonly Finding[], options: Options): Element {
  const [first] = findings
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : ''
  return {
    name: 'failure',
    attributes: { message: `${first?.message}${more}`, type: first?.kind },
    children: [findings.map((finding) => textOf(finding, options)).join('\n\n')],
  }
}

function skippedOf({ status, reason, findings, baselined }: Judgement): Element | undefined {
  if (status === 'not-assessed') return { name: 'skipped', attributes: { message: reason } }
  if (baselined.length === 0 || findings.length > 0) return undefined
  return {
    name: 'skipped',
    attributes: { message: `The baseline lets ${count(baselined.length, 'finding')} pass.` },
  }
}

function inconclusive({ rule }: Judgement): string {
  const by = maskingsOf(rule)
  return rule.inconclusive > 0
    ? `${rule.inconclusive} of ${count(rule.cases, 'case')} masked: neither passed nor failed.${by && ` ${by}.`}`
    : ''
}

function textOf(finding: Finding | BaselinedFinding, { locate }: Options): string {
  const { id, kind, operation, question, message, advice, contract } = finding
  const at = locate?.(contract)
  const head = [`${kind} ${id}`, operation, question && `question ${question}`].filter(Boolean).join(', ')
  const place = [contract, at && `${at.file}:${at.line}`].filter(Boolean).join(' at ')
  return [head, message, advice, knownOf(finding), place, again(finding)].filter(Boolean).join('\n')
}

function textElement(name: string, text: string): Element | undefined {
  return text === '' ? undefined : { name, children: [text] }
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
