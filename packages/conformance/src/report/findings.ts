import { SEVERITIES } from './report.ts'
import type { BaselinedFinding, Finding, Result } from './result.ts'
import type { ReportOptions } from './summary.ts'
import { count, oneLine } from './text.ts'

/** Findings of one rule with the same message, for several operations. */
export interface Group {
  /** Represents the group. */
  readonly first: Finding
  readonly findings: readonly Finding[]
  /** OperationIds without duplicates. */
  readonly operations: readonly string[]
}

/** Groups by rule and message, the most severe first. */
export function groupsOf(findings: readonly Finding[]): Group[] {
  const groups = Map.groupBy(findings, ({ rule, kind, severity, question, message, operation }) => {
    // Messages begin with the operation.
    const same = operation === undefined ? message : message.replaceAll(operation, '')
    return JSON.stringify([rule, kind, severity, question, same])
  })
  return [...groups.values()]
    .map((all) => ({
      first: all[0] as Finding,
      findings: all,
      operations: [...new Set(all.flatMap(({ operation }) => operation ?? []))],
    }))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
}

function rankOf({ first }: Group): number {
  return SEVERITIES.indexOf(first.severity)
}

/**
 * Selects by severity, and within a severity one group of each rule before more of the same rule.
 */
export function mostSevere(groups: readonly Group[], limit: number): Group[] {
  const byRule = Map.groupBy(groups, ({ first }) => `${first.severity} ${first.rule}`)
  const turnOf = (group: Group) =>
    byRule.get(`${group.first.severity} ${group.first.rule}`)?.indexOf(group) ?? 0
  return groups.toSorted((a, b) => rankOf(a) - rankOf(b) || turnOf(a) - turnOf(b)).slice(0, limit)
}

/** The citation as text: `fact: statement "tx-ids", section 3.2`. */
export function citationOf({ cites }: Pick<Finding, 'cites'>, options: ReportOptions): string {
  if ('question' in cites) return oneLine(`assumption: open question "${cites.question}"`)
  if ('standard' in cites) return oneLine(`standard: ${cites.standard}`)
  if ('fact' in cites)
    return oneLine(
      `fact: statement "${cites.fact}"${cites.section ? `, section ${cites.section}` : ''}`,
    )
  return oneLine(`fact: ${placeOf(cites.pointer, options) ?? `contract ${cites.pointer}`}`)
}

/** `file:line` of a JSON pointer; undefined if it is unknown. */
function placeOf(pointer: string, { locate }: ReportOptions): string | undefined {
  const at = locate?.(pointer)
  return at && `${at.file}:${at.line}`
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
  const { rule, advice, contract, evidence } = first
  const place = [contract, placeOf(contract, options)].filter(Boolean).join(' at ')
  const cases = findings.reduce((sum, it) => sum + it.count, 0)
  const others = findings.slice(1, 1 + MOST_IDS).map(({ id }) => id)
  const hidden = findings.length - 1 - others.length
  const details = {
    Exchange: exchangeOf(first),
    Request: evidence.request,
    'Request id': evidence.requestId ?? '',
    Cites: citationOf(first, options),
    Contract: [place, count(cases, 'case')].filter(Boolean).join(', '),
    Also: [...others, ...(hidden > 0 ? [`${hidden} more`] : [])].join(', '),
    Advice: advice,
    Known: acceptanceOf(first) ?? '',
    Rule: pageOf(rule, options) ?? rule,
  }
  return Object.entries(details).flatMap(([label, text]) =>
    text === '' ? [] : [[label, oneLine(text)]],
  )
}

/** The request as a command, and a run of the rule on the operation. */
export function commandsOf(finding: Finding, { repeat }: ReportOptions): readonly string[] {
  return [finding.evidence.curl, repeat?.(finding)].filter((it) => it !== undefined).map(oneLine)
}

/** The commands of `signIn`, if the commands of findings use their variables. */
export function variablesOf({ signIn, findings }: Result): string[] {
  const commands = findings.flatMap(({ evidence }) => evidence.curl ?? []).join('\n')
  const lines = signIn
    .split('\n')
    .filter((it) => commands.includes('OTHER_') || !it.startsWith('OTHER_'))
  return /\$(OTHER_)?(TOKEN|CREDENTIALS)/.test(commands) ? lines : []
}

/** The URL of the page of a rule; undefined if the address of the docs is unknown. */
export function pageOf(rule: string, { docs }: ReportOptions): string | undefined {
  return docs && `${docs}/rules/${encodeURIComponent(oneLine(rule))}.html`
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
  const lines = found.slice(0, MOST_LINES).map((it) => {
    const where = it.operation === undefined ? it.rule : `${it.operation}, ${it.rule}`
    return oneLine(`- ${where}: ${it.message} (${citationOf(it, {})})`)
  })
  const rest = found.length - MOST_LINES
  return [head, ...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n')
}
