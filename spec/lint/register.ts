import { didYouMean } from './suggest.ts'

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
  /** Whether a wrong assumption can cost money. */
  readonly money?: boolean
  readonly settled: string
  readonly unmarked?: string
  readonly verdict?: 'confirmed' | 'partly-confirmed' | 'contradicted' | 'not-exercised'
  readonly seen?: string
  readonly by?: readonly string[]
  readonly at?: string
}

export type Register = Readonly<Record<string, Question>>

/** The number of "not shown" remarks in the document. */
export const NOT_SHOWN = 34

/** A field of an entry, and what is wrong with it. */
export interface QuestionError {
  readonly field?: string
  readonly message: string
}

const FIELDS = [
  'question',
  'source',
  'assumption',
  'basis',
  'norm',
  'money',
  'observed',
  'settled',
  'unmarked',
  'verdict',
  'seen',
  'by',
  'at',
]
const REQUIRED = ['question', 'source', 'assumption', 'basis', 'settled']
const BASES: readonly string[] = ['standard', 'assumed', 'open', 'observed'] satisfies Basis[]
const OBSERVED = ['service', 'date', 'evidence']
const VERDICTS = ['confirmed', 'partly-confirmed', 'contradicted', 'not-exercised']

/**
 * The errors of an entry of open-questions.yaml: of its id, of its fields, and, if it has all
 * fields, of their values.
 */
export function questionErrors(id: string, entry: Question): QuestionError[] {
  const errors: QuestionError[] = []
  const isLowerCaseWords = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)
  if (!isLowerCaseWords)
    errors.push({
      message: `The id "${id}" must be lower-case words joined by hyphens; rename it.`,
    })

  const unknown = Object.keys(entry).filter((field) => !FIELDS.includes(field))
  for (const field of unknown) {
    const next = didYouMean(field, FIELDS, `; it has ${FIELDS.join(', ')}.`)
    errors.push({ field, message: `"${field}" is not a field of a question${next}` })
  }
  // If the name of a field is misspelt, the field seems to be missing.
  if (unknown.length > 0) return errors

  const lacking = REQUIRED.filter((field) => !(field in entry))
  for (const field of lacking)
    errors.push({ message: `The question "${id}" lacks "${field}"; add it.` })
  if (lacking.length > 0) return errors

  return [...errors, ...valueErrors(entry)]
}

/** The errors of the values of an entry that has all of its fields. */
function valueErrors(entry: Question): QuestionError[] {
  const errors: QuestionError[] = []
  for (const field of ['question', 'assumption', 'settled'] as const)
    if (typeof entry[field] !== 'string')
      errors.push({ field, message: `"${field}" must be string; write a sentence.` })

  if (typeof entry.source?.section !== 'string') {
    const message = '"source" must name the "section" of the document; add it.'
    errors.push({ field: 'source', message })
  }

  errors.push(...unknownValueErrors('basis', entry.basis, BASES))
  if (entry.verdict !== undefined)
    errors.push(...unknownValueErrors('verdict', entry.verdict, VERDICTS))

  errors.push(...normErrors(entry), ...observedErrors(entry))
  if (entry.observed) errors.push(...observationErrors(entry.observed))
  return errors
}

/**
 * The error of an entry whose `norm` does not fit its basis, as a list; empty if it fits. The norm is
 * the standard, such as an RFC, that the assumption follows.
 */
function normErrors({ basis, norm }: Question): QuestionError[] {
  const hasNorm = norm !== undefined
  if (basis === 'standard' && !hasNorm)
    return [{ field: 'basis', message: 'The basis standard needs its "norm"; add it.' }]

  // A service may have shown that it follows the standard.
  const canHaveNorm = basis === 'standard' || basis === 'observed'
  if (hasNorm && !canHaveNorm)
    return [{ field: 'norm', message: 'Only the basis standard has a "norm"; remove it.' }]
  return []
}

/**
 * The error of an entry whose basis is `observed` although it has no observation, or the other way
 * round, as a list; empty if both fit. An observation says which service showed the answer.
 */
function observedErrors({ basis, observed }: Question): QuestionError[] {
  const isObservation = basis === 'observed'
  if (isObservation && !observed) {
    const message = `The basis observed needs "observed"; add it, with ${OBSERVED.join(', ')}.`
    return [{ field: 'basis', message }]
  }
  if (observed && !isObservation)
    return [{ field: 'observed', message: 'Only the basis observed has "observed"; remove it.' }]
  return []
}

/**
 * The errors of `observed`, which says what a running service showed: the service, the day, and the
 * evidence.
 */
function observationErrors(observation: Observation): QuestionError[] {
  const { service, date, evidence } = observation
  const messages: string[] = []
  // An unquoted comma ends a value between braces, and begins the next field.
  for (const field of Object.keys(observation)) {
    if (OBSERVED.includes(field)) continue
    const next = didYouMean(field, OBSERVED, `; it has ${OBSERVED.join(', ')}. Quote a comma.`)
    messages.push(`"${field}" is not a field of "observed"${next}`)
  }

  const isUrl = typeof service === 'string' && /^https?:\/\//.test(service)
  if (!isUrl)
    messages.push(
      '"observed" must name the base URL of the service, such as https://api.example.com.',
    )

  const isDay = typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date)
  if (!isDay) messages.push('"observed" must have the date of the observation, such as 2026-11-29.')

  const hasEvidence = typeof evidence === 'string' && evidence !== ''
  if (!hasEvidence) messages.push('"observed" must say what its evidence is; add "evidence".')
  return messages.map((message) => ({ field: 'observed', message }))
}

/** The error of a value that its field cannot have, as a list; empty if it can have the value. */
function unknownValueErrors(
  field: string,
  value: string,
  values: readonly string[],
): QuestionError[] {
  if (values.includes(value)) return []
  const next = didYouMean(value, values, `; it is one of ${values.join(', ')}.`)
  return [{ field, message: `"${value}" is not a value of ${field}${next}` }]
}

/** Whether a running service showed the answer. */
export function isObserved(id: string, register: Register): boolean {
  return register[id]?.basis === 'observed'
}

/** The basis of a question for a reader; an observation names the service and the day. */
export function describeBasis(id: string, register: Register): string {
  const entry = register[id]
  if (!entry?.observed) return String(entry?.basis)
  return `observed at ${entry.observed.service} on ${entry.observed.date}`
}

/** The numbers of "not shown" remarks that no question covers. */
export function openMarks(register: Register): number[] {
  const covered = new Set(Object.values(register).flatMap((entry) => entry.source?.marks ?? []))
  const numbers = Array.from({ length: NOT_SHOWN }, (_, index) => index + 1)
  return numbers.filter((number) => !covered.has(number))
}
