import type { BaselinedFinding, Finding, Result } from '../engine/result.ts'
import { oneLine } from '../model/visible.ts'
import { type Group, rulesIn } from './finding-groups.ts'
import { count } from './format-text.ts'
import type { ReportOptions } from './options.ts'
import { placeOf } from './source-location.ts'

/** The citation as text: `fact: statement "tx-ids", section 3.2`. */
export function citationOf({ cites, contract }: Finding, { locate }: ReportOptions): string {
  if ('question' in cites) return `assumption: open question "${cites.question}"`
  if ('standard' in cites) return `standard: ${cites.standard}`
  if ('statement' in cites) return `fact: statement "${cites.statement}", section ${cites.section}`
  const pointer = cites.pointer || contract
  return `fact: ${placeOf(pointer, locate) ?? `contract ${pointer}`}`
}

export interface Sides {
  readonly expected: string
  readonly actual: string
}

/** Patterns of messages without their full stop that name both sides; the first match decides. */
const SIDES: readonly RegExp[] = [
  /^(?<actual>.+?);? expected (?<expected>[^,;]{1,1000})$/s,
  /^(?<where>.*: )?expected (?<expected>.{1,1000}?), (?:but )?got (?<actual>.+)$/is,
  /^Expected (?<expected>.+?), (?:and |but )?(?<actual>(?!and )[^,]+)$/s,
  /^(?<expected>.+); but (?<actual>.+)$/s,
  /^(?<actual>.+); (?<expected>the contract .+)$/s,
]

/**
 * Splits a message into what was expected and what was observed. If it does not name both, the title of the rule
 * says what was expected.
 *
 * @example
 * sidesOf('/tx_id: expected string, got null.', title) // { expected: '/tx_id: string', actual: 'null' }
 */
export function sidesOf(message: string, title: string): Sides {
  const text = oneLine(message)
  for (const pattern of text.endsWith('.') ? SIDES : []) {
    const { where = '', expected, actual } = pattern.exec(text.slice(0, -1))?.groups ?? {}
    if (expected && actual) return { expected: where + expected, actual }
  }
  return { expected: title, actual: text }
}

export type Detail = readonly [label: string, text: string]

/** The details of a group of findings, for all formats. */
export function detailsOf(
  { first, findings, effects }: Group,
  { rules }: Pick<Result, 'rules'>,
  options: ReportOptions,
): Detail[] {
  const { rule, message, advice, contract, evidence } = first
  const { expected, actual } = sidesOf(message, rules.find((it) => it.rule === rule)?.title ?? rule)
  const place = [contract, placeOf(contract, options.locate)].filter(Boolean).join(' at ')
  const cases = findings.reduce((sum, it) => sum + it.count, 0)
  const { method, path, request, status, requestId } = evidence
  const others = findings.slice(1, 1 + MAX_IDS).map(({ id }) => id)
  const hidden = findings.length - 1 - others.length
  const details: readonly Detail[] = [
    ['Request', [method, path, request].filter(Boolean).join(' ')],
    ['Expected', expected],
    ['Actual', actual],
    ['Response', [status ?? 'none', requestId && `request id ${requestId}`].filter(Boolean).join(', ')],
    ['Cites', citationOf(first, options)],
    ['Contract', [place, count(cases, 'case')].filter(Boolean).join(', ')],
    ['Also', [...others, ...(hidden > 0 ? [`${hidden} more`] : [])].join(', ')],
    ['Causes', rulesIn(effects)],
    ['Advice', advice],
    ['Known', acceptanceOf(first) ?? ''],
    ['Rule', pageOf(rule, options) ?? rule],
  ]
  return details.filter(([, text]) => text !== '').map(([label, text]) => [label, oneLine(text)])
}

/** Ids listed besides the first. */
const MAX_IDS = 30

/** The commands that show a finding again: a curl if one request is enough, and a run of its rule on its operation. */
export function commandsOf(finding: Finding, { repeat }: ReportOptions): readonly string[] {
  return [finding.evidence.curl, repeat?.(finding)].filter((it) => it !== undefined).map(oneLine)
}

/** The commands of `signIn` for the variables that the commands of findings use. */
export function variablesOf({ signIn, findings }: Pick<Result, 'signIn' | 'findings'>): string[] {
  const commands = findings.flatMap(({ evidence }) => evidence.curl ?? [])
  const lines = signIn?.split('\n') ?? []
  const isUsed = (name: string, all: readonly string[]) => all.some((it) => it.includes(`$${name}`))
  const needed = lines.filter((it) => isUsed(nameOf(it), commands))
  return lines.filter((it) => needed.includes(it) || isUsed(nameOf(it), needed))
}

function nameOf(assignment: string): string {
  return assignment.slice(0, assignment.indexOf('='))
}

/** The URL of the page of a rule; undefined if the address of the docs is unknown. */
export function pageOf(rule: string, { docs }: ReportOptions): string | undefined {
  return docs && `${docs}/rules/${encodeURIComponent(oneLine(rule))}.html`
}

/** Undefined for a finding that is not in the baseline. */
export function acceptanceOf(finding: Finding | BaselinedFinding): string | undefined {
  return 'until' in finding ? `Accepted by the baseline until ${finding.until}: ${finding.why}` : undefined
}
