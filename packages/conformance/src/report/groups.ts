import { SEVERITIES } from './report.ts'
import type { Finding } from './result.ts'
import { count } from './text.ts'

/** Findings that reports show as one: those of one choice of the service, or of one cause. */
export interface Group {
  /** Represents the group: the most severe of its findings. */
  readonly first: Finding
  readonly findings: readonly Finding[]
  /** OperationIds without duplicates. */
  readonly operations: readonly string[]
}

/** Groups findings, in the order of the chapters of a report. */
export function groupFindings(findings: readonly Finding[]): Group[] {
  const groups = [...Map.groupBy(findings, buildGroupKey).values()].map(createGroup)
  return groups.toSorted(byConsequence)
}

/**
 * Builds a key that findings of one group share. A service chooses once how it does what an open question
 * leaves open, so that all findings of one rule about one question are one choice, such as that no list has
 * pages. Other findings are in one group if their messages differ only in details.
 */
export function buildGroupKey(finding: Finding): string {
  const { rule, kind, severity, question } = finding
  // A critical finding stands for itself, whatever it is about.
  const isChoice = question !== undefined && severity !== 'critical'
  if (isChoice) return JSON.stringify([SAME_CHOICE.get(rule) ?? rule, question])
  return JSON.stringify([rule, kind, severity, question, stripDetails(finding)])
}

/** Rules that see the choices of another rule too: in deliveries, or only in responses that the contract declares. */
const SAME_CHOICE: ReadonlyMap<string, string> = new Map([
  ['deliveries-shaped', 'responses-shape'],
  ['responses-headers', 'http-request-ids'],
  ['responses-media-type', 'http-problems'],
])

/** Creates the group of findings that reports show as one. Its most severe finding represents it. */
function createGroup(findings: readonly Finding[]): Group {
  const [first] = findings.toSorted((a, b) => rankSeverity(a) - rankSeverity(b))
  return {
    // A group has at least one.
    first: first as Finding,
    findings,
    operations: [...new Set(findings.flatMap(({ operation }) => operation ?? []))],
  }
}

/**
 * Writes what the messages of one cause have in common: all but the operation, the place in a message, the
 * quoted values, the numbers, and the type in place of which null stands. `/amount: expected "10.00", got 12 digits`
 * becomes `/: expected "", got 0 digits`.
 */
function stripDetails({ message, operation }: Finding): string {
  const words = operation === undefined ? message : message.replaceAll(operation, '')
  return words
    .replaceAll(/"(?:[^"\\]|\\.)*"?/g, '""')
    .replaceAll(PLACE, '$1/')
    .replaceAll(PLACE_IN_REQUEST, '$1/')
    .replaceAll(/expected \w+, got null/g, 'expected a value, got null')
    .replaceAll(/\d+/g, '0')
}

/** A JSON pointer into a body, in a message, with what is before it (`$1`): a space, or nothing at its start. */
const PLACE = /(^|\s)(\/[^\s:,;.]*)/g

/** A place in a request, in a message, such as `body/amount/fine`, with its part (`$1`). */
const PLACE_IN_REQUEST = /\b(body|header|path|query)\/[^\s:,;.]*/g

function rankSeverity({ severity }: Finding): number {
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

/** Chooses the chapter to which a group belongs. */
export function chooseChapter({ first }: Group): Chapter {
  if (first.kind === 'failure') return 'facts'
  if (first.severity === 'critical') return 'critical'
  return first.severity === 'warning' ? 'money' : 'choices'
}

function rankChapter(group: Group): number {
  const chapter = chooseChapter(group)
  return CHAPTERS.findIndex(({ id }) => id === chapter)
}

/**
 * Compares two groups: by their chapter, then by their severity. Of equals, those that contradict an earlier response
 * of the service come first, and then the one of more operations.
 */
function byConsequence(one: Group, other: Group): number {
  return (
    rankChapter(one) - rankChapter(other) ||
    rankSeverity(one.first) - rankSeverity(other.first) ||
    rankBasis(one) - rankBasis(other) ||
    other.operations.length - one.operations.length
  )
}

/** 0 for a group that contradicts an earlier response of the service, and 1 for any other. */
function rankBasis({ first: { cites } }: Group): number {
  return 'own' in cites ? 0 : 1
}

/**
 * Selects groups of findings for one screen. Each chapter of the report, such as money, gets its first
 * group, so that no chapter is missing. The rest goes by severity, with one group of each rule before
 * the second of any rule.
 */
export function mostSevere(groups: readonly Group[], limit: number): Group[] {
  const chosen = new Set<Group>()
  // First one of each chapter, and then others up to the limit.
  for (const { id } of CHAPTERS) {
    const firstOfChapter = groups.find((group) => chooseChapter(group) === id)
    if (firstOfChapter) chosen.add(firstOfChapter)
  }

  const groupsInTurns = sortInTurns(groups)
  for (const group of groupsInTurns) if (chosen.size < limit) chosen.add(group)
  // In the order of the report: those of a chapter were chosen first, and are not printed first.
  return groupsInTurns.filter((group) => chosen.has(group))
}

/**
 * Sorts groups by chapter, then severity. Among equals, the first group of each rule comes before the
 * second one of any rule: `money`, `paging`, `money` and not `money`, `money`, `paging`.
 */
function sortInTurns(groups: readonly Group[]): Group[] {
  // The first group of a rule has turn 0, the second one 1.
  const turns = numberGroupsOfRules(groups)
  const turnOf = (group: Group) => turns.get(group) ?? 0
  return groups.toSorted(
    (a, b) =>
      rankChapter(a) - rankChapter(b) ||
      rankSeverity(a.first) - rankSeverity(b.first) ||
      turnOf(a) - turnOf(b),
  )
}

/** Numbers the groups of each rule, from 0, among those of the same chapter and severity. */
function numberGroupsOfRules(groups: readonly Group[]): ReadonlyMap<Group, number> {
  const numbers = new Map<Group, number>()
  const ruleKey = (group: Group) =>
    `${chooseChapter(group)} ${group.first.severity} ${group.first.rule}`
  for (const groupsOfRule of Map.groupBy(groups, ruleKey).values())
    for (const [number, group] of groupsOfRule.entries()) numbers.set(group, number)
  return numbers
}

/** Where a group was found: an operation, with the statuses, the places and the number of cases. */
interface Occurrence {
  readonly operation: string
  readonly statuses: readonly string[]
  readonly places: readonly string[]
  readonly cases: number
}

/** So many places of one operation are listed. */
const MAX_PLACES = 3

/**
 * Says where a group was found, such as `createTransfer 201 at /amount (2 cases)`, the most frequent
 * first.
 */
export function listOccurrences({ findings }: Group): string[] {
  const byOperation = Map.groupBy(findings, ({ operation = 'all operations' }) => operation)
  const occurrences = [...byOperation].map(collectOccurrence)
  return occurrences.toSorted((a, b) => b.cases - a.cases).map(describeOccurrence)
}

/** Collects the statuses and places at which the findings of one operation occurred, each once. */
function collectOccurrence([operation, findings]: [string, readonly Finding[]]): Occurrence {
  const statuses = findings.map(({ evidence }) => String(evidence.status ?? 'no response'))
  const places = findings.flatMap(listPlaces)
  return {
    operation,
    statuses: [...new Set(statuses)].sort(),
    places: [...new Set(places)].sort(),
    cases: countCases(findings),
  }
}

/** Lists the places that a message names: `/data/3/amount: expected …` names `/data/0/amount`, as for any item. */
function listPlaces({ message }: Finding): string[] {
  const places: string[] = message.match(PLACE_IN_REQUEST) ?? []
  for (const [, _spaceBefore, place = ''] of message.matchAll(PLACE)) {
    const withoutIndexes = place.replaceAll(/\/\d+(?=\/|$)/g, '/0')
    if (isPointer(withoutIndexes)) places.push(withoutIndexes)
  }
  return places
}

/** Whether a text is a JSON pointer into a body, and no path of a URL. */
function isPointer(place: string): boolean {
  return /^(\/\w+)+$/.test(place)
}

/** Writes where findings occurred: `createTransfer 201 at /amount (2 cases)`. Places above a limit are only counted. */
function describeOccurrence({ operation, statuses, places, cases }: Occurrence): string {
  const response = `${operation} ${statuses.join(', ')}`
  const caseCount = `(${count(cases, 'case')})`
  if (places.length === 0) return `${response} ${caseCount}`

  const listedPlaces = places.slice(0, MAX_PLACES).join(', ')
  const hiddenCount = places.length - MAX_PLACES
  if (hiddenCount <= 0) return `${response} at ${listedPlaces} ${caseCount}`
  return `${response} at ${listedPlaces} and ${count(hiddenCount, 'more place')} ${caseCount}`
}

/** Counts the cases that showed findings. */
export function countCases(findings: readonly Finding[]): number {
  return findings.reduce((sum, finding) => sum + finding.count, 0)
}
