import { type OwnWord, SEVERITIES } from './report.ts'
import { type BaselinedFinding, type Finding, type Result, subjectOf } from './result.ts'
import type { ReportOptions } from './summary.ts'
import { count, oneLine } from './text.ts'

/** Findings that reports show as one: those of one choice of the service, or of one cause. */
export interface Group {
  /** Represents the group: the most severe of its findings. */
  readonly first: Finding
  readonly findings: readonly Finding[]
  /** OperationIds without duplicates. */
  readonly operations: readonly string[]
}

/** Groups findings, in the order of the chapters of a report. */
export function groupsOf(findings: readonly Finding[]): Group[] {
  const groups = [...Map.groupBy(findings, groupKeyOf).values()].map(groupOf)
  return groups.toSorted(byConsequence)
}

/** Findings of one key are shown as one. */
export function groupKeyOf(finding: Finding): string {
  const { rule, kind, severity, question } = finding
  const isChoice = question !== undefined && severity !== 'critical'
  if (isChoice) return JSON.stringify([rule, question])
  return JSON.stringify([rule, kind, severity, question, causeOf(finding)])
}

function groupOf(findings: readonly Finding[]): Group {
  const [first] = findings.toSorted((a, b) => severityRank(a) - severityRank(b))
  return {
    // A group has at least one.
    first: first as Finding,
    findings,
    operations: [...new Set(findings.flatMap(({ operation }) => operation ?? []))],
  }
}

/**
 * What the messages of one cause have in common: all but the operation, the place in a body, the
 * quoted values and the numbers.
 */
function causeOf({ message, operation }: Finding): string {
  const words = operation === undefined ? message : message.replaceAll(operation, '')
  return words
    .replaceAll(/"(?:[^"\\]|\\.)*"?/g, '""')
    .replaceAll(PLACE, '$1/')
    .replaceAll(/\d+/g, '0')
}

/** A place in a body, in a message. */
const PLACE = /(^|\s)(\/[^\s:,;.]*)/g

function severityRank({ severity }: Finding): number {
  return SEVERITIES.indexOf(severity)
}

/** The chapters of the findings, in the order of a report. */
export const CHAPTERS = [
  { id: 'facts', title: 'Facts that the service contradicts' },
  { id: 'critical', title: 'Critical, although no fact says so' },
  { id: 'money', title: 'Money and access: ask the service' },
  { id: 'choices', title: 'Other choices of the service' },
] as const

export type Chapter = (typeof CHAPTERS)[number]['id']

export function chapterOf({ first }: Group): Chapter {
  if (first.kind === 'failure') return 'facts'
  if (first.severity === 'critical') return 'critical'
  return first.severity === 'warning' ? 'money' : 'choices'
}

function chapterRank(group: Group): number {
  const chapter = chapterOf(group)
  return CHAPTERS.findIndex(({ id }) => id === chapter)
}

/** By chapter and severity, and what concerns more operations first. */
function byConsequence(one: Group, other: Group): number {
  return (
    chapterRank(one) - chapterRank(other) ||
    severityRank(one.first) - severityRank(other.first) ||
    other.operations.length - one.operations.length
  )
}

/**
 * Selects groups for one screen: one of each chapter, so that none hides the next; then by
 * consequence, one of each rule before more of the same rule.
 */
export function mostSevere(groups: readonly Group[], limit: number): Group[] {
  const ofChapters = CHAPTERS.flatMap(
    ({ id }) => groups.find((group) => chapterOf(group) === id) ?? [],
  )
  const chosen = new Set(ofChapters)

  const keyOf = (group: Group) => `${chapterOf(group)} ${group.first.severity} ${group.first.rule}`
  const byRule = Map.groupBy(groups, keyOf)
  const turnOf = (group: Group) => byRule.get(keyOf(group))?.indexOf(group) ?? 0
  const inTurn = groups.toSorted(
    (a, b) =>
      chapterRank(a) - chapterRank(b) ||
      severityRank(a.first) - severityRank(b.first) ||
      turnOf(a) - turnOf(b),
  )
  for (const group of inTurn) if (chosen.size < limit) chosen.add(group)
  return inTurn.filter((group) => chosen.has(group))
}

/** Where a group was found: an operation, with the statuses, the places and the number of cases. */
interface Occurrence {
  readonly operation: string
  readonly statuses: readonly string[]
  readonly places: readonly string[]
  readonly cases: number
}

/** Places of one operation that are listed. */
const MOST_PLACES = 3

/**
 * Where a group was found, such as `createTransfer 201 at /amount (2 cases)`, the most frequent
 * first.
 */
export function occurrencesOf({ findings }: Group): string[] {
  const byOperation = Map.groupBy(findings, ({ operation = 'all operations' }) => operation)
  const occurrences = [...byOperation].map(occurrenceOf)
  return occurrences.toSorted((a, b) => b.cases - a.cases).map(inWords)
}

function occurrenceOf([operation, findings]: [string, readonly Finding[]]): Occurrence {
  const statuses = findings.map(({ evidence }) => String(evidence.status ?? 'no response'))
  const places = findings.flatMap(placesIn)
  return {
    operation,
    statuses: [...new Set(statuses)].sort(),
    places: [...new Set(places)].sort(),
    cases: casesOf(findings),
  }
}

/** The places that a message names. An index of an array is no place of its own. */
function placesIn({ message }: Finding): string[] {
  const places = [...message.matchAll(PLACE)].map(([, , place = '']) => place)
  return places.map((place) => place.replaceAll(/\/\d+(?=\/|$)/g, '/0')).filter(isPointer)
}

/** Whether a text is a JSON pointer into a body, and no path of a URL. */
function isPointer(place: string): boolean {
  return /^(\/\w+)+$/.test(place)
}

function inWords({ operation, statuses, places, cases }: Occurrence): string {
  const shown = places.slice(0, MOST_PLACES).join(', ')
  const hidden = places.length - MOST_PLACES
  const more = hidden > 0 ? ` and ${count(hidden, 'more place')}` : ''
  const at = shown === '' ? '' : ` at ${shown}${more}`
  return `${operation} ${statuses.join(', ')}${at} (${count(cases, 'case')})`
}

function casesOf(findings: readonly Finding[]): number {
  return findings.reduce((sum, finding) => sum + finding.count, 0)
}

/** The citation as text: `fact: statement "tx-ids", section 3.2`. */
export function citationOf({ cites }: Pick<Finding, 'cites'>, options: ReportOptions): string {
  if ('question' in cites) {
    const { question, observed } = cites
    const basis = observed === undefined ? 'assumption' : `observed ${observed}`
    return oneLine(`${basis}: open question "${question}"`)
  }
  if ('standard' in cites) return oneLine(`standard: ${cites.standard}`)
  if ('own' in cites) return ownWordInWords(cites.own)
  if ('fact' in cites) {
    const statement = `fact: statement "${cites.fact}"`
    return oneLine(cites.section ? `${statement}, section ${cites.section}` : statement)
  }
  const place = placeOf(cites.pointer, options) ?? `contract ${cites.pointer}`
  return oneLine(`fact: ${place}`)
}

/** `the service itself: checkCode refused the code (request req_7)` */
function ownWordInWords({ says, requestId }: OwnWord): string {
  const request = requestId === undefined ? '' : ` (request ${requestId})`
  return oneLine(`the service itself: ${says}${request}`)
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
export function detailsOf(group: Group, options: ReportOptions): [label: string, text: string][] {
  const { first, findings } = group
  const { rule, advice, evidence } = first
  const details: [string, string][] = [
    ['Exchange', exchangeOf(first)],
    ['Request', evidence.request],
    ['Request id', evidence.requestId ?? ''],
    ['Cites', citationOf(first, options)],
    ['Contract', placeAndCases(first, findings, options)],
    ['Seen at', findings.length > 1 ? occurrencesOf(group).join('; ') : ''],
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
  const cases = count(casesOf(findings), 'case')
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

/** The command that checks for a group of findings again. */
export function repeatOf(
  { first, operations }: Group,
  { repeat }: ReportOptions,
): string | undefined {
  const isOfSeveral = operations.length > 1
  return repeat?.(isOfSeveral ? { ...first, operation: undefined } : first)
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

/**
 * The URL of a rule's section on the page of its subject; undefined if the address of the docs is
 * unknown.
 */
export function pageOf(rule: string, { docs }: ReportOptions): string | undefined {
  if (!docs) return undefined
  const id = encodeURIComponent(oneLine(rule))
  return `${docs}/rules/${subjectOf(id)}.html#${id}`
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
