import type { Behaviour } from '@partner-payments/spec/behaviour'
import type { Contract } from '../model/contract.ts'
import { nodeOf } from '../model/document.ts'

/**
 * What a finding rests on. Only a fact makes a failure: a node of the contract that no open question marks, or a
 * statement of the source document. All else makes a deviation: an assumption, or a standard that the contract does not
 * name.
 */
export type Citation =
  | { readonly pointer: string }
  | { readonly statement: string; readonly section: string }
  | { readonly question: string }
  | { readonly standard: string }

/** What holds for every operation, as spec/behaviour declares it. */
export type Convention = keyof NonNullable<Behaviour['conventions']>

/** What a rule holds a service to. `contract`: the place that a violation names, or the open question that marks it. */
export type Cites =
  | 'contract'
  | { readonly convention: Convention }
  | { readonly statement: string }
  | { readonly question: string }
  | { readonly standard: string }

/** What a declared convention or rule rests on; a contract that declares none is taken at its word. */
export function citesOf(declared: { readonly fact?: string; readonly question?: string } | undefined): Cites {
  if (declared?.question !== undefined) return { question: declared.question }
  return declared?.fact === undefined ? 'contract' : { statement: declared.fact }
}

export function isFact(citation: Citation): boolean {
  return 'pointer' in citation || 'statement' in citation
}

/** The open question of a citation; undefined of a fact. */
export function questionOf(citation: Citation | undefined): string | undefined {
  return citation && 'question' in citation ? citation.question : undefined
}

const COMMON = 'common practice, on which the contract says nothing'

/**
 * The citation of a violation at a place of the contract. A contract that does not ask the question, or lacks the
 * statement, has promised nothing: what is left is common practice.
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
  return statements.size > 0 ? { standard: COMMON } : citationFor('contract', at, contract)
}
