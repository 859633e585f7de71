import { kindOf } from '@partner-payments/contract'
import { stringify } from 'yaml'
import { parseYaml } from '../contract/yaml.ts'
import type { BaselinedFinding, Finding, Result } from './result.ts'
import { oneLine } from './text.ts'

/** A known finding that is accepted until a date. */
export interface BaselineEntry {
  /** Id of the finding. */
  readonly id: string
  /** Last day of acceptance: an RFC 3339 full-date, UTC. */
  readonly until: string
  /** The reason, for readers. */
  readonly why: string
  /** What the finding said when it was accepted. Default: nobody looks whether that has changed. */
  readonly message?: string
}

/** An invalid baseline. The message names the file, the entry and what was expected. */
export class BaselineError extends Error {}

/**
 * Parses a baseline, YAML or JSON: a list of `{ id, until, why, message? }`. An empty file is an empty list.
 *
 * @param file Its name, for messages, which never quote it: it may be another file than was meant.
 * @throws {BaselineError} if an entry is invalid or repeated.
 */
export function readBaseline(text: string, file: string): BaselineEntry[] {
  const parsed = parseYaml(text)
  if ('problem' in parsed) throw new BaselineError(`${file} is not YAML: ${parsed.problem}`)

  const entries = parsed.value ?? []
  if (!Array.isArray(entries))
    throw new BaselineError(
      `${file}: expected an array of { id, until, why }, got ${kindOf(entries)}`,
    )
  requireValidEntries(entries, file)
  return entries
}

/** @throws {BaselineError} if an entry is invalid, or has the id of an earlier one */
function requireValidEntries(
  entries: readonly unknown[],
  file: string,
): asserts entries is readonly BaselineEntry[] {
  const ids = new Set<string>()
  for (const [index, entry] of entries.entries()) {
    const place = `${file}: entry ${index + 1}`
    const problem = findProblem(entry)
    if (problem !== undefined) throw new BaselineError(`${place}: ${problem}`)

    const { id } = entry as BaselineEntry
    if (ids.has(id)) throw new BaselineError(`${place}: "id" occurs twice`)
    ids.add(id)
  }
}

/** What a field of an entry must be. */
interface ExpectedField {
  readonly isValid: (text: string) => boolean
  readonly what: string
  readonly isOptional?: true
}

const FULL_DATE = 'a full-date that exists, such as 2026-12-31'
const FIELDS: Readonly<Record<keyof BaselineEntry, ExpectedField>> = {
  id: { isValid: (text) => text !== '', what: 'the id of a finding' },
  until: { isValid: isFullDate, what: FULL_DATE },
  why: { isValid: (text) => text.trim() !== '', what: 'the reason why it may stay' },
  message: { isValid: () => true, what: 'the message of the finding', isOptional: true },
}

/**
 * Finds what is wrong with an entry of a baseline, in words: `unexpected field; an entry has id, …`.
 * Undefined if it is valid.
 */
function findProblem(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null)
    return `expected { id, until, why }, got ${kindOf(entry)}`

  const hasUnknown = Object.keys(entry).some((name) => !Object.hasOwn(FIELDS, name))
  if (hasUnknown) return 'unexpected field; an entry has id, until, why and message'

  for (const [name, { isValid, what, isOptional }] of Object.entries(FIELDS)) {
    const value: unknown = (entry as Readonly<Record<string, unknown>>)[name]
    if (isOptional && value === undefined) continue
    if (typeof value !== 'string' || !isValid(value))
      return `"${name}" must be ${what}, got ${kindOf(value)}`
  }
  return undefined
}

/** Whether a date exists: 2026-02-30 does not. */
function isFullDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/**
 * Moves the findings that a baseline accepts from `findings` of a result to `baselined`. A baseline is a
 * list of findings that a team knows and accepts until a day: `{ id: 'lists-pages:…', until: '2027-01-31', … }`.
 * Also returns its entries that no finding has (`unused`), and those of a finding whose day is over (`expired`).
 *
 * @param today RFC 3339 full-date, UTC. An entry counts until the end of its day.
 */
export function applyBaseline(result: Result, baseline: readonly BaselineEntry[], today: string) {
  const entries = new Map(baseline.map((entry) => [entry.id, entry]))
  const findings: Finding[] = []
  const baselined: BaselinedFinding[] = []
  for (const finding of result.findings) {
    const entry = entries.get(finding.id)
    const isAccepted = entry !== undefined && entry.until >= today
    if (isAccepted) baselined.push(acceptFinding(finding, entry))
    else findings.push(finding)
  }

  // Either the finding of an entry is gone, or its day may be over.
  const foundIds = new Set(result.findings.map(({ id }) => id))
  const unused = baseline.filter(({ id }) => !foundIds.has(id))
  const expired = baseline.filter(({ id, until }) => foundIds.has(id) && until < today)
  return { result: { ...result, findings, baselined }, unused, expired }
}

/** Adds to a finding until when and why it is accepted, and what it said then if it says something else now. */
function acceptFinding(finding: Finding, entry: BaselineEntry): BaselinedFinding {
  const { until, why, message: messageBefore } = entry
  // The reason may not fit another message, so that reports show both.
  const hasChanged =
    messageBefore !== undefined &&
    withoutVariableParts(messageBefore) !== withoutVariableParts(finding.message)
  return { ...finding, until, why, ...(hasChanged && { messageBefore }) }
}

/** A date such as `2026-11-02`, or a time such as `2026-11-02T14:30:00.5-03:00`. */
const TIME = /\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d)?)?/g
/** A word that is as long as an id. */
const ID = /[\w-]{16,}/g
/** A number without decimals. One with decimals, such as `12.50`, is an amount. */
const COUNT = /(?<![\d.])\d+(?!\.?\d)/g

/** A message without what differs from run to run: times, ids and counts. Amounts stay. */
function withoutVariableParts(message: string): string {
  return oneLine(message).replaceAll(TIME, 'time').replaceAll(ID, 'id').replaceAll(COUNT, 'count')
}

/**
 * Renders findings as a baseline in YAML: a list of findings that are accepted until a day. Findings that
 * were accepted before keep their reason.
 *
 * @param until RFC 3339 full-date, the last day on which they are accepted.
 * @throws {BaselineError} if `until` is not a full-date
 */
export function writeBaseline(
  findings: readonly (Finding | BaselinedFinding)[],
  until: string,
): string {
  if (!isFullDate(until))
    throw new BaselineError(`"until" must be ${FULL_DATE}, got "${oneLine(until)}"`)
  const byId = new Map(findings.map((finding) => [finding.id, finding]))
  const entries = [...byId.values()].map((finding) => {
    const why = 'why' in finding ? finding.why : `Known: ${oneLine(finding.message)}`
    return { id: finding.id, until, why, message: oneLine(finding.message) }
  })
  return stringify(entries, { lineWidth: 0 })
}
