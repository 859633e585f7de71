/** The basis of an assumption: a standard, our choice, or none because the question is open. */
export type Basis = 'standard' | 'assumed' | 'open'

/** An entry of open-questions.yaml, which documents the fields in its header. */
export interface Question {
  readonly question: string
  readonly source: { readonly section: string; readonly marks?: readonly number[] }
  readonly assumption: string
  readonly basis: Basis
  readonly norm?: string
  /** Whether a wrong assumption can cost money. */
  readonly money?: boolean
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

const BASES: ReadonlySet<string> = new Set<Basis>(['standard', 'assumed', 'open'])

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
    errors.push(`"basis" must be standard, assumed or open, got "${entry.basis}"`)

  const needsNorm = entry.basis === 'standard'
  const hasNorm = entry.norm !== undefined
  if (needsNorm !== hasNorm) errors.push('"norm" goes with the basis standard, and only with it')

  return errors
}

/** The numbers of "not shown" remarks that no question covers. */
export function openMarks(register: Register): number[] {
  const covered = new Set(Object.values(register).flatMap((entry) => entry.source?.marks ?? []))
  const all = Array.from({ length: NOT_SHOWN }, (_, index) => index + 1)
  return all.filter((mark) => !covered.has(mark))
}
