import { SEVERITIES } from './report.ts'
import type { BaselinedFinding, Finding, Result } from './result.ts'
import type { ReportOptions } from './summary.ts'
import { count, oneLine } from './text.ts'

/** Findings of one rule that share a cause, for several operations, fields or values. */
export interface Group {
  /** Represents the group. */
  readonly first: Finding
  readonly findings: readonly Finding[]
  /** OperationIds without duplicates. */
  readonly operations: readonly string[]
}

/** Groups by rule and cause, the most severe first. */
export function groupsOf(findings: readonly Finding[]): Group[] {
  const alike = Map.groupBy(findings, (finding) => {
    const { rule, kind, severity, question } = finding
    return JSON.stringify([rule, kind, severity, question, causeOf(finding)])
  })
  const groups = [...alike.values()].map((findings) => ({
    // A group has at least one.
    first: findings[0] as Finding,
    findings,
    operations: [...new Set(findings.flatMap(({ operation }) => operation ?? []))],
  }))
  return groups.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/**
 * What the messages of one cause have in common: all but the operation, the place in a body, the
 * quoted values and the numbers.
 */
function causeOf({ message, operation }: Finding): string {
  const words = operation === undefined ? message : message.replaceAll(operation, '')
  return words
    .replaceAll(/"(?:[^"\\]|\\.)*"?/g, '""')
    .replaceAll(/(^|\s)\/[^\s:,;]*/g, '$1/')
    .replaceAll(/\d+/g, '0')
}

function rankOf({ first }: Group): number {
  return SEVERITIES.indexOf(first.severity)
}

/**
 * Selects by severity, and within a severity one group of each rule before more of the same rule.
 */
export function mostSevere(groups: readonly Group[], limit: number): Group[] {
  const keyOf = ({ first }: Group) => `${first.severity} ${first.rule}`
  const byRule = Map.groupBy(groups, keyOf)
  const turnOf = (group: Group) => byRule.get(keyOf(group))?.indexOf(group) ?? 0
  const sorted = groups.toSorted((a, b) => rankOf(a) - rankOf(b) || turnOf(a) - turnOf(b))
  return sorted.slice(0, limit)
}

/** The citation as text: `fact: statement "tx-ids", section 3.2`. */
export function citationOf({ cites }: Pick<Finding, 'cites'>, options: ReportOptions): string {
  if ('question' in cites) {
    const { question, observed } = cites
    const basis = observed === undefined ? 'assumption' : `observed ${observed}`
    return oneLine(`${basis}: open question "${question}"`)
  }
  if ('standard' in cites) return oneLine(`standard: ${cites.standard}`)
  if ('fact' in cites) {
    const statement = `fact: statement "${cites.fact}"`
    return oneLine(cites.section ? `${statement}, section ${cites.section}` : statement)
  }
  const place = placeOf(cites.pointer, options) ?? `contract ${cites.pointer}`
  return oneLine(`fact: ${place}`)
}

/** `file:line` of a JSON pointer; undefined if it is unknown. */
function placeOf(pointer: string, { locate }: ReportOptions): string | undefined {
  const location = locate?.(pointer)
  return location ? `${location.file}:${location.line}` : undefined
}

/** `GET /mobile-bff/v1/partner/user -> 200` */
export function exchangeOf({ evidence: { method, path, status } }: Finding): string {
  return oneLine(`${method} ${path} -> ${status ?? 'no response'}`)
}

/** Ids listed besides the first. */
const MOST_IDS = 30

/** The details of a group of findings, for all formats. */
export function detailsOf(
  { first, findings }: Group,
  options: ReportOptions,
): [label: string, text: string][] {
  const { rule, advice, evidence } = first
  const details: [string, string][] = [
    ['Exchange', exchangeOf(first)],
    ['Request', evidence.request],
    ['Request id', evidence.requestId ?? ''],
    ['Cites', citationOf(first, options)],
    ['Contract', placeAndCases(first, findings, options)],
    ['Alike', otherMessages(findings)],
    ['Also', otherIds(findings)],
    ['Advice', advice],
    ['Known', acceptanceOf(first) ?? ''],
    ['Rule', pageOf(rule, options) ?? rule],
  ]
  const known = details.filter(([, text]) => text !== '')
  return known.map(([label, text]) => [label, oneLine(text)])
}

/** Where the contract says what must hold, and the number of cases. */
function placeAndCases(
  { contract }: Finding,
  findings: readonly Finding[],
  options: ReportOptions,
): string {
  const cases = count(
    findings.reduce((sum, finding) => sum + finding.count, 0),
    'case',
  )
  const place = placeOf(contract, options)
  if (contract === '' && place === undefined) return cases
  if (contract === '') return `${place}, ${cases}`
  return place === undefined ? `${contract}, ${cases}` : `${contract} at ${place}, ${cases}`
}

/** Messages listed besides the first. */
const MOST_MESSAGES = 10

/** The messages of a group's findings that differ from the first one. */
function otherMessages([first, ...others]: readonly Finding[]): string {
  const messages = [...new Set(others.map(({ message }) => message))]
  const different = messages.filter((message) => message !== first?.message)
  const shown = different.slice(0, MOST_MESSAGES)
  const hidden = different.length - shown.length
  if (hidden > 0) shown.push(`${hidden} more`)
  return shown.join(' ')
}

/** The ids of a group's findings after the first. */
function otherIds(findings: readonly Finding[]): string {
  const others = findings.slice(1).map(({ id }) => id)
  const ids = others.slice(0, MOST_IDS)
  const hidden = others.length - ids.length
  if (hidden > 0) ids.push(`${hidden} more`)
  return ids.join(', ')
}

/** The request as a command, and a run of the rule on the operation. */
export function commandsOf(finding: Finding, { repeat }: ReportOptions): readonly string[] {
  const commands = [finding.evidence.curl, repeat?.(finding)]
  return commands.filter((command) => command !== undefined).map(oneLine)
}

/** The commands of `signIn`, if the commands of findings use their variables. */
export function variablesOf({ signIn, findings }: Result): string[] {
  const commands = findings.flatMap(({ evidence }) => evidence.curl ?? []).join('\n')
  const usesVariables = VARIABLES.some((variable) => commands.includes(variable))
  if (!usesVariables) return []

  const lines = signIn.split('\n')
  const usesOther = commands.includes('OTHER_')
  return usesOther ? lines : lines.filter((line) => !line.startsWith('OTHER_'))
}

/** The variables that `signIn` sets. */
const VARIABLES = ['$TOKEN', '$CREDENTIALS', '$OTHER_TOKEN', '$OTHER_CREDENTIALS']

/** The URL of the page of a rule; undefined if the address of the docs is unknown. */
export function pageOf(rule: string, { docs }: ReportOptions): string | undefined {
  if (!docs) return undefined
  return `${docs}/rules/${encodeURIComponent(oneLine(rule))}.html`
}

/** Undefined for a finding that is not in the baseline. */
export function acceptanceOf(finding: Finding | BaselinedFinding): string | undefined {
  return 'until' in finding
    ? `Accepted by the baseline until ${finding.until}: ${finding.why}`
    : undefined
}

/** A difference from the contract in the message of a failing test. */
export type Difference = Pick<Finding, 'rule' | 'operation' | 'message' | 'cites'>

const MOST_LINES = 20

/** Lists differences in the message of a failing test. */
export function failureMessage(head: string, found: readonly Difference[]): string {
  const lines = found.slice(0, MOST_LINES).map((difference) => {
    const { rule, operation, message } = difference
    const where = operation === undefined ? rule : `${operation}, ${rule}`
    return oneLine(`- ${where}: ${message} (${citationOf(difference, {})})`)
  })
  const hidden = found.length - lines.length
  if (hidden > 0) lines.push(`- and ${hidden} more`)
  return [head, ...lines].join('\n')
}
