import { countCases, type Group, listOccurrences } from './groups.ts'
import type { EarlierResponse } from './report.ts'
import { type BaselinedFinding, type Finding, type Result, readSubject } from './result.ts'
import type { ReportOptions } from './summary.ts'
import { count, oneLine } from './text.ts'

/**
 * Writes what a finding cites, which is the statement that the service breaks, as text: `fact: statement
 * "tx-ids", section 3.2`. It may be an open question, a standard, an earlier response of the service, a
 * fact, or a place in the contract.
 */
export function describeCitation(
  { cites }: Pick<Finding, 'cites'>,
  options: ReportOptions,
): string {
  if ('question' in cites) {
    const { question, observed } = cites
    const basis = observed === undefined ? 'assumption' : `observed ${observed}`
    return oneLine(`${basis}: open question "${question}"`)
  }
  if ('standard' in cites) return oneLine(`standard: ${cites.standard}`)
  if ('own' in cites) return describeEarlierResponse(cites.own)
  if ('fact' in cites) {
    const statement = `fact: statement "${cites.fact}"`
    return oneLine(cites.section ? `${statement}, section ${cites.section}` : statement)
  }
  const place = locateInFile(cites.pointer, options) ?? `contract ${cites.pointer}`
  return oneLine(`fact: ${place}`)
}

/** `the service itself: checkCode refused the code (request req_7)` */
function describeEarlierResponse({ says, requestId }: EarlierResponse): string {
  const request = requestId === undefined ? '' : ` (request ${requestId})`
  return oneLine(`the service itself: ${says}${request}`)
}

/** `file:line` of a JSON pointer; undefined if it is unknown. */
function locateInFile(pointer: string, { locate }: ReportOptions): string | undefined {
  const location = locate?.(pointer)
  return location ? `${location.file}:${location.line}` : undefined
}

/** `GET /mobile-bff/v1/partner/user -> 200` */
export function describeExchange({ evidence: { method, path, status } }: Finding): string {
  return oneLine(`${method} ${path} -> ${status ?? 'no response'}`)
}

/** So many ids are listed besides the first. */
const MAX_IDS = 30

/** Lists the details of a group of findings as labels and texts, for all formats: `['Cites', 'fact: …']`. */
export function listDetails(group: Group, options: ReportOptions): [label: string, text: string][] {
  const { first, findings } = group
  const { rule, advice, evidence } = first
  const details: [string, string][] = [
    ['Exchange', describeExchange(first)],
    ['Request', evidence.request],
    ['Request id', evidence.requestId ?? ''],
    ['Cites', describeCitation(first, options)],
    ['Contract', describePlaceAndCases(first, findings, options)],
    ['Seen at', findings.length > 1 ? listOccurrences(group).join('; ') : ''],
    ['Alike', listOtherMessages(findings)],
    ['Also', listOtherIds(findings)],
    ['Advice', advice],
    ['Known', describeAcceptance(first) ?? ''],
    ['Rule', buildPageUrl(rule, options) ?? rule],
  ]
  const filled = details.filter(([, text]) => text !== '')
  return filled.map(([label, text]) => [label, oneLine(text)])
}

/** Describes where the contract says what must hold, and in how many cases it did not: `/paths/…, 3 cases`. */
function describePlaceAndCases(
  { contract }: Finding,
  findings: readonly Finding[],
  options: ReportOptions,
): string {
  const cases = count(countCases(findings), 'case')
  const line = locateInFile(contract, options) ?? ''
  const place = [contract, line].filter((text) => text !== '').join(' at ')
  return place === '' ? cases : `${place}, ${cases}`
}

/** So many messages are listed besides the first. */
const MAX_MESSAGES = 10

/**
 * Lists the messages of findings that differ from that of the first finding, one after the other. More than
 * a few are only counted.
 */
function listOtherMessages([first, ...others]: readonly Finding[]): string {
  const messages = [...new Set(others.map(({ message }) => message))]
  const different = messages.filter((message) => message !== first?.message)
  return limitList(different, MAX_MESSAGES).join(' ')
}

/** Lists the ids of a group's findings after the first. */
function listOtherIds(findings: readonly Finding[]): string {
  const others = findings.slice(1).map(({ id }) => id)
  return limitList(others, MAX_IDS).join(', ')
}

/** Keeps the first texts of a list, and counts the others: `['a', 'b', '3 more']`. */
function limitList(texts: readonly string[], limit: number): string[] {
  const listed = texts.slice(0, limit)
  const hiddenCount = texts.length - listed.length
  if (hiddenCount > 0) listed.push(`${hiddenCount} more`)
  return listed
}

/**
 * Builds the command that checks for a group of findings again. Without an operation if the group is of several;
 * undefined if this report shows no commands.
 */
export function buildRepeatCommand(
  { first, operations }: Group,
  { repeat }: ReportOptions,
): string | undefined {
  const isOfSeveral = operations.length > 1
  const finding = isOfSeveral ? { ...first, operation: undefined } : first
  return repeat?.(finding)
}

/** Lists the request as a command, and a run of the rule on the operation. */
export function listCommands(finding: Finding, { repeat }: ReportOptions): readonly string[] {
  const commands = [finding.evidence.curl, repeat?.(finding)]
  return commands.filter((command) => command !== undefined).map(oneLine)
}

/**
 * Lists the shell commands that sign in and set the variables of the curl commands. Empty if no command of
 * a finding uses them; without those of the second partner if they are not used.
 */
export function listVariableCommands({ signIn, findings }: Result): string[] {
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
 * Builds the URL of a rule's section on the page of its subject; undefined if the address of the docs is
 * unknown.
 */
export function buildPageUrl(rule: string, { docs }: ReportOptions): string | undefined {
  if (!docs) return undefined
  const id = encodeURIComponent(oneLine(rule))
  return `${docs}/rules/${readSubject(id)}.html#${id}`
}

/** Says until when and why the baseline accepts a finding. Undefined for one that it does not accept. */
export function describeAcceptance(finding: Finding | BaselinedFinding): string | undefined {
  return 'until' in finding
    ? `Accepted by the baseline until ${finding.until}: ${finding.why}`
    : undefined
}

/** A difference from the contract in the message of a failing test. */
export type Difference = Pick<Finding, 'rule' | 'operation' | 'message' | 'cites'>

const MAX_LINES = 20

/**
 * Builds the message of a failing test: `head`, then a line for each difference from the contract. More
 * than a few are only counted.
 */
export function failureMessage(head: string, differences: readonly Difference[]): string {
  const lines = differences.slice(0, MAX_LINES).map((difference) => {
    const { rule, operation, message } = difference
    const where = operation === undefined ? rule : `${operation}, ${rule}`
    return oneLine(`- ${where}: ${message} (${describeCitation(difference, {})})`)
  })
  const hiddenCount = differences.length - lines.length
  if (hiddenCount > 0) lines.push(`- and ${hiddenCount} more`)
  return [head, ...lines].join('\n')
}
