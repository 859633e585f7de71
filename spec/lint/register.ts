/**
 * The basis of an assumption: a standard, our choice, or none because the question is open. What a
 * running service showed is `observed`: neither a fact of the document nor an assumption.
 */
export type Basis = 'standard' | 'assumed' | 'open' | 'observed'

/** What showed how the service answers a question. */
export interface Observation {
  /** Its base URL. */
  readonly service: string
  /** The day of the observation: an RFC 3339 full-date. */
  readonly date: string
  /** What was read, and how many cases there were. */
  readonly evidence: string
}

/** An entry of open-questions.yaml, which documents the fields in its header. */
export interface Question {
  readonly question: string
  readonly source: { readonly section: string; readonly marks?: readonly number[] }
  readonly assumption: string
  readonly basis: Basis
  readonly norm?: string
  readonly observed?: Observation
  readonly settled: string
  readonly unmarked?: string
  readonly verdict?: 'confirmed' | 'contradicted' | 'not-exercised'
  readonly seen?: string
  readonly by?: readonly string[]
  readonly at?: string
}

export type Register = Readonly<Record<string, Question>>

/** The number of "not shown" remarks in the document. */
export const NOT_SHOWN = 34

const BASES: ReadonlySet<string> = new Set<Basis>(['standard', 'assumed', 'open', 'observed'])

/** The errors of an entry, one sentence each. */
export function questionErrors(id: string, entry: Question): string[] {
  const errors: string[] = []

  const isLowerCaseWords = /^[a-z]+(-[a-z]+)*$/.test(id)
  if (!isLowerCaseWords) errors.push('its id must be lower-case words joined by hyphens')

  for (const field of ['question', 'assumption', 'settled'] as const)
    if (typeof entry[field] !== 'string') errors.push(`it must have "${field}"`)

  if (typeof entry.source?.section !== 'string')
    errors.push('it must name the section of the document')

  if (!BASES.has(entry.basis))
    errors.push(`"basis" must be standard, assumed, open or observed, got "${entry.basis}"`)

  const isObserved = entry.basis === 'observed'
  const needsNorm = entry.basis === 'standard'
  const hasNorm = entry.norm !== undefined
  // A service may have shown that it follows the standard.
  if (needsNorm !== hasNorm && !isObserved)
    errors.push('"norm" goes with the basis standard, and only with it')

  const hasObservation = entry.observed !== undefined
  if (isObserved !== hasObservation)
    errors.push('"observed" goes with the basis observed, and only with it')
  if (hasObservation) errors.push(...observationErrors(entry.observed))

  return errors
}

function observationErrors({ service, date, evidence }: Observation): string[] {
  const errors: string[] = []

  if (typeof service !== 'string' || !/^https?:\/\//.test(service))
    errors.push('"observed" must name the base URL of the service, such as https://api.example.com')

  if (typeof date !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(date))
    errors.push('"observed" must have the date of the observation, such as 2026-11-29')

  if (typeof evidence !== 'string' || evidence === '')
    errors.push('"observed" must say what its evidence is')

  return errors
}

/** Whether a running service showed the answer. */
export function isObserved(id: string, register: Register): boolean {
  return register[id]?.basis === 'observed'
}

/** The basis of a question for a reader; an observation names the service and the day. */
export function basisOf(id: string, register: Register): string {
  const entry = register[id]
  if (!entry?.observed) return String(entry?.basis)
  return `observed at ${entry.observed.service} on ${entry.observed.date}`
}

/** The numbers of "not shown" remarks that no question covers. */
export function openMarks(register: Register): number[] {
  const covered = new Set(Object.values(register).flatMap((entry) => entry.source?.marks ?? []))
  const all = Array.from({ length: NOT_SHOWN }, (_, index) => index + 1)
  return all.filter((mark) => !covered.has(mark))
}
