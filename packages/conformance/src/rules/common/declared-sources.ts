import type { Violation } from '../../engine/violation.ts'
import { nodeOf } from '../../model/document.ts'

/** Where a declared rule of spec/behaviour comes from: a statement of the source document, or an open question. */
export interface Source {
  readonly fact?: string
  readonly question?: string
}

/** The citation of a violation: the first source that names a fact or a question. */
export function citing(...sources: readonly (Source | undefined)[]): Pick<Violation, 'question' | 'cites'> {
  const { fact, question } = sources.find((it) => it?.fact ?? it?.question) ?? {}
  if (fact !== undefined) return { cites: { statement: fact } }
  return question === undefined ? {} : { question }
}

/** The open questions that a part of spec/behaviour names. */
export function questionsIn(declared: unknown): readonly string[] {
  const { question } = nodeOf(declared)
  const inner = Object.values(nodeOf(declared)).flatMap(questionsIn)
  return typeof question === 'string' ? [question, ...inner] : inner
}
