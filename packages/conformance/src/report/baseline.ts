import { Document, parseDocument } from 'yaml'
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
}

/** An invalid baseline. The message names the file, the entry and what was expected. */
export class BaselineError extends Error {
  readonly code = 'invalid_baseline'
  override readonly name = 'BaselineError'
}

/**
 * Parses a baseline, YAML or JSON: a list of `{ id, until, why }`. An empty file is an empty list.
 *
 * @param file Its name, for messages.
 * @throws {BaselineError} if an entry is invalid or repeated.
 */
export function readBaseline(text: string, file: string): BaselineEntry[] {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error) throw new BaselineError(`${file}: ${error.message}`, { cause: error })
  const value: unknown = document.toJS() ?? []
  if (!Array.isArray(value))
    throw new BaselineError(`${file}: expected an array of { id, until, why }, got ${shown(value)}`)
  const ids = new Set<string>()
  return value.map((entry: unknown, index) => {
    const problem = problemOf(entry)
    const { id } = (entry ?? {}) as BaselineEntry
    const name = typeof id === 'string' ? ` (${shown(id)})` : ''
    const reason = problem ?? (ids.has(id) ? '"id" occurs twice' : undefined)
    if (reason !== undefined) throw new BaselineError(`${file}: entry ${index + 1}${name}: ${reason}`)
    ids.add(id)
    return entry as BaselineEntry
  })
}

/**
 * Separates accepted findings from a result, and lists unused and expired entries.
 *
 * @param today RFC 3339 full-date, UTC. An entry counts until the end of its day.
 */
export function applyBaseline(result: Result, baseline: readonly BaselineEntry[], today: string) {
  const entries = new Map(baseline.map((entry) => [entry.id, entry]))
  const shown = new Set(result.findings.map(({ id }) => id))
  const isShown = ({ id }: BaselineEntry) => shown.has(id)
  const findings: Finding[] = []
  const baselined: BaselinedFinding[] = []
  for (const finding of result.findings) {
    const entry = entries.get(finding.id)
    if (entry && entry.until >= today) baselined.push({ ...finding, until: entry.until, why: entry.why })
    else findings.push(finding)
  }
  return {
    result: { ...result, findings, baselined },
    unused: baseline.filter((it) => !isShown(it)),
    expired: baseline.filter((it) => isShown(it) && it.until < today),
  }
}

/**
 * Renders findings as a baseline in YAML. Existing reasons are kept.
 *
 * @param until RFC 3339 full-date, the last day on which they are accepted.
 * @throws {BaselineError} if `until` is not a full-date
 */
export function writeBaseline(findings: readonly (Finding | BaselinedFinding)[], until: string): string {
  if (!isFullDate(until))
    throw new BaselineError(`"until" must be ${FULL_DATE}, got ${JSON.stringify(until)}`)
  const byId = new Map(findings.map((finding) => [finding.id, finding]))
  const entries = [...byId.values()].map((it) => ({
    id: it.id,
    until,
    why: 'why' in it ? it.why : `Known: ${oneLine(it.message)}`,
  }))
  return new Document(entries).toString({ lineWidth: 0 })
}

const FULL_DATE = 'a full-date such as 2026-12-31'
const FIELDS: Readonly<Record<keyof BaselineEntry, readonly [(it: unknown) => boolean, string]>> = {
  id: [(it) => typeof it === 'string' && it !== '', 'the id of a finding'],
  until: [(it) => typeof it === 'string' && isFullDate(it), FULL_DATE],
  why: [(it) => typeof it === 'string' && it.trim() !== '', 'the reason why it may stay'],
}

function problemOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return `expected { id, until, why }, got ${shown(entry)}`
  const values = entry as Readonly<Record<string, unknown>>
  const unknown = Object.keys(entry).find((name) => !Object.hasOwn(FIELDS, name))
  if (unknown !== undefined)
    return `unexpected field ${JSON.stringify(unknown)}; an entry has id, until and why`
  const wrong = Object.entries(FIELDS).find(([name, [isValid]]) => !isValid(values[name]))
  return wrong && `"${wrong[0]}" must be ${wrong[1][1]}, got ${shown(values[wrong[0]])}`
}

/** Whether a date exists: 2026-02-30 does not. */
function isFullDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : oneLine(JSON.stringify(value))
}
