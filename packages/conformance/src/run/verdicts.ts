import type { LawResult, Verdict } from '../result.ts'
import type { Contract } from './contract.ts'
import { below, nodeOf } from './document.ts'
import { type Exchange, headerOf } from './exchange.ts'
import { walk } from './walk.ts'

/** What the service answers to the questions that the document leaves open. */
export interface Verdicts {
  /** An answer bears on the questions whose marks its members carry. */
  see(exchange: Exchange): void
  /** A case bore on a question, and kept its answer. */
  confirmed(question: string | undefined): void
  contradicted(question: string | undefined, seen: string): void
  all(laws: readonly LawResult[]): Verdict[]
}

/** The register, as the contract carries it along. */
export type Register = Readonly<Record<string, { question: string; answer: string; basis: Verdict['basis'] }>>

/** Words of marks that no form of a value can show: laws do. */
const BEYOND_FORM = new Set([
  'meaning',
  'presence',
  'default',
  'x-effect',
  'description',
  'version',
  'requestBody',
])
/** Answers of one operation and status that are looked at. */
const LOOKED_AT = 30

export function createVerdicts(contract: Contract, register: Register = {}): Verdicts {
  const exercised = new Map<string, number>()
  const seen = new Map<string, string>()
  const looks = new Map<string, number>()
  const count = (question: string) => void exercised.set(question, (exercised.get(question) ?? 0) + 1)

  return {
    see({ view, reply, body }) {
      const key = `${view?.id} ${reply.status}`
      const looked = looks.get(key) ?? 0
      if (!view || body === undefined || looked >= LOOKED_AT) return
      looks.set(key, looked + 1)
      const response = contract.document.follow(below(view.pointer, 'responses', String(reply.status)))
      const type = (headerOf(reply.headers, 'content-type') ?? '').split(';', 1)[0]?.trim() ?? ''
      for (const question of questionsOf(response.node)) count(question)
      walk(contract.document, below(response.pointer, 'content', type, 'schema'), body, (pointer) => {
        for (const question of questionsOf(nodeOf(contract.document.at(pointer)))) count(question)
      })
    },
    confirmed: (question) => void (question !== undefined && count(question)),
    contradicted(question, message) {
      if (question === undefined) return
      count(question)
      if (!seen.has(question)) seen.set(question, message)
    },
    all(laws) {
      for (const { question, cases } of laws) if (question !== undefined && cases > 0) count(question)
      const ids = new Set([...Object.keys(register), ...exercised.keys()])
      return [...ids].map((question) =>
        verdictOf(question, register, exercised.get(question) ?? 0, seen.get(question)),
      )
    },
  }
}

function questionsOf({ 'x-open-question': mark }: Readonly<Record<string, unknown>>): string[] {
  if (typeof mark === 'string') return [mark]
  return Object.entries(nodeOf(mark)).flatMap(([word, id]) => (BEYOND_FORM.has(word) ? [] : [String(id)]))
}

function verdictOf(
  question: string,
  register: Register,
  exercised: number,
  seen: string | undefined,
): Verdict {
  const { question: text = '', answer = '', basis = 'assumed' } = register[question] ?? {}
  const verdict = seen !== undefined ? 'contradicted' : exercised > 0 ? 'confirmed' : 'not-exercised'
  return { question, text, answer, basis, verdict, seen, exercised }
}
