import { Document, parseDocument } from 'yaml'
import type { BaselinedFinding, Finding } from '../engine/result.ts'
import { oneLine } from './text.ts'

/** A finding that is known, and let pass for some time. */
export interface BaselineEntry {
  /** Of the finding. */
  readonly id: string
  /** The last day on which it is let pass: an RFC 3339 full-date, UTC. */
  readonly until: string
  /** For readers. */
  readonly why: string
}

/** What a baseline does to the findings of a run. */
export interface Baselined {
  /** What counts, those among them whose time is over; these say so. */
  readonly findings: readonly Finding[]
  /** What is let pass, with its day and the reason. */
  readonly baselined: readonly BaselinedFinding[]
  /** Entries whose day is over, and whose finding is still there. */
  readonly expired: readonly BaselineEntry[]
  /** Entries that no finding has: mended, or not looked for in this run. */
  readonly unused: readonly BaselineEntry[]
}

/** A baseline that cannot be read. The message names the file, the entry and what was expected. */
export class BaselineError extends Error {
  readonly code = 'invalid_baseline'
  override readonly name = 'BaselineError'
}

/**
 * Reads a baseline, YAML or JSON: a list of `{ id, until, why }`.
 *
 * @param text What is in the file; nothing at all is an empty list.
 * @param file Its name, for messages.
 * @throws BaselineError where an entry is not as it must be, or stands there twice.
 */
export function readBaseline(text: string, file: string): BaselineEntry[] {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error) throw new BaselineError(`${file}: ${error.message}`, { cause: error })
  const value: unknown = document.toJS() ?? []
  if (!Array.isArray(value)) {
    throw new BaselineError(`${file}: expected a list of { id, until, why }, got ${kindOf(value)}`)
  }
  const seen = new Set<unknown>()
  return value.map((entry: unknown, index) =>
    entryOf(entry, seen, (problem) => fail(file, index, entry, problem)),
  )
}

/**
 * Parts the findings of a run into those that count and those that a baseline lets pass.
 *
 * @param today RFC 3339 full-date, UTC. An entry lets pass until the end of its day.
 */
export function applyBaseline(
  findings: readonly Finding[],
  baseline: readonly BaselineEntry[],
  today: string,
): Baselined {
  const entries = new Map(baseline.map((entry) => [entry.id, entry]))
  const isCurrent = ({ id }: Finding) => (entries.get(id)?.until ?? '') >= today
  const ids = new Set(findings.map(({ id }) => id))
  return {
    findings: findings.filter((it) => !isCurrent(it)).map((it) => withExpiry(it, entries.get(it.id))),
    baselined: findings.filter(isCurrent).map((it) => known(it, entries.get(it.id))),
    expired: baseline.filter(({ id, until }) => ids.has(id) && until < today),
    unused: baseline.filter(({ id }) => !ids.has(id)),
  }
}

/**
 * A baseline of these findings, as YAML. Why each may stay is for people to write; what they wrote before stays.
 *
 * @param until RFC 3339 full-date, the last day on which they pass.
 * @throws BaselineError where `until` is no such date.
 */
export function writeBaseline(findings: readonly (Finding | BaselinedFinding)[], until: string): string {
  if (!isFullDate(until))
    throw new BaselineError(`"until" must be ${FULL_DATE}, got ${JSON.stringify(until)}`)
  const ids = new Map(findings.map((finding) => [finding.id, finding]))
  const entries = [...ids.values()].map((it) => ({
    id: it.id,
    until,
    why: 'why' in it ? it.why : `Known: ${oneLine(it.message)}`,
  }))
  return new Document(entries).toString({ lineWidth: 0 })
}

function known(finding: Finding, { until = '', why = '' }: Partial<BaselineEntry> = {}): BaselinedFinding {
  return { ...finding, until, why }
}

function withExpiry(finding: Finding, entry: BaselineEntry | undefined): Finding {
  if (!entry) return finding
  return { ...finding, message: `${finding.message} The baseline let it pass until ${entry.until}.` }
}

const MEMBERS = ['id', 'until', 'why']
const FULL_DATE = 'a full-date such as 2026-12-31'

function entryOf(entry: unknown, seen: Set<unknown>, refuse: (problem: string) => never): BaselineEntry {
  if (typeof entry !== 'object' || entry === null)
    return refuse(`expected { id, until, why }, got ${kindOf(entry)}`)
  const { id, until, why } = entry as Readonly<Record<string, unknown>>
  const stray = Object.keys(entry).find((name) => !MEMBERS.includes(name))
  if (stray !== undefined)
    return refuse(`expected no members but id, until and why, got ${JSON.stringify(stray)}`)
  if (typeof id !== 'string' || id === '') return refuse(`"id" must be the id of a finding, got ${shown(id)}`)
  if (typeof until !== 'string' || !isFullDate(until))
    return refuse(`"until" must be ${FULL_DATE}, got ${shown(until)}`)
  if (typeof why !== 'string' || why.trim() === '')
    return refuse(`"why" must say why it may stay, got ${shown(why)}`)
  if (seen.has(id)) return refuse('"id" must not be there twice')
  seen.add(id)
  return { id, until, why }
}

function fail(file: string, index: number, entry: unknown, problem: string): never {
  const { id } = (entry ?? {}) as { id?: unknown }
  const name = typeof id === 'string' ? ` (${shown(id)})` : ''
  throw new BaselineError(`${file}: entry ${index + 1}${name}: ${problem}`)
}

/** A day that there is: 2026-02-30 is none. */
function isFullDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return value === null ? 'null' : `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : oneLine(JSON.stringify(value))
}
