import type { Behaviour } from '@partner-payments/spec/behaviour'
import type { Contract } from '../model/contract.ts'
import { nodeOf } from '../model/document.ts'

/**
 * The source of a finding. A fact makes a failure: a node of the contract without an open question, or a
 * statement of the source document. An assumption, or a standard that the contract does not name, makes a
 * deviation.
 */
export type Citation =
  | { readonly pointer: string }
  | { readonly statement: string; readonly section: string }
  | { readonly question: string }
  | { readonly standard: string }

/** A convention of spec/behaviour, which applies to every operation. */
export type Convention = keyof NonNullable<Behaviour['conventions']>

/**
 * What a rule verifies. `contract` means the node that a violation names, or the open question that marks it.
 */
export type Cites =
  | 'contract'
  | { readonly convention: Convention }
  | { readonly statement: string }
  | { readonly question: string }
  | { readonly standard: string }

/** The source of a declared convention or rule. Without one, the contract itself is cited. */
export function citesOf(declared: { readonly fact?: string; readonly question?: string } | undefined): Cites {
  if (declared?.question !== undefined) return { question: declared.question }
  return declared?.fact === undefined ? 'contract' : { statement: declared.fact }
}

export function isFact(citation: Citation): boolean {
  return 'pointer' in citation || 'statement' in citation
}

export function questionOf(citation: Citation | undefined): string | undefined {
  return citation && 'question' in citation ? citation.question : undefined
}

const COMMON = 'common practice, which the contract does not mention'

/**
 * The citation of a violation at a node of the contract. If the contract has neither the question nor the
 * statement, it promises nothing, and common practice is cited.
 */
export function citationFor(
  cites: Cites,
  at: string,
  contract: Pick<Contract, 'document' | 'questions' | 'statements' | 'conventions'>,
): Citation {
  const { document, questions, statements, conventions } = contract
  if (cites === 'contract') {
    const { 'x-open-question': mark } = nodeOf(document.at(at))
    return typeof mark === 'string' ? { question: mark } : { pointer: at }
  }
  if ('standard' in cites) return cites
  if ('convention' in cites) {
    const declared = conventions[cites.convention]
    return declared ? citationFor(citesOf(declared), at, contract) : { standard: COMMON }
  }
  if ('question' in cites) return questions.has(cites.question) ? cites : { standard: COMMON }
  const section = statements.get(cites.statement)
  if (section !== undefined) return { statement: cites.statement, section }
  return { standard: COMMON }
}
