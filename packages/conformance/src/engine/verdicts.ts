import type { Contract } from '../model/contract.ts'
import { below, nodeOf } from '../model/document.ts'
import type { OperationView } from '../model/operation-view.ts'
import { walk } from '../model/walk.ts'
import { laws as allLaws } from '../rules/index.ts'
import { type Exchange, headerOf } from '../transport/exchange.ts'
import { findingsOf } from './findings.ts'
import type { LawResult, Verdict } from './result.ts'

/** What the service answers to the questions that the document leaves open. */
export interface Verdicts {
  /** An answer bears on the questions whose marks its members carry, and keeps their answers or does not. */
  see(exchange: Exchange): void
  /** A case of a law bore on a question, and kept its answer. */
  confirmed(question: string | undefined, law: string): void
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
  const bearing: Bearing = new Map()
  const seen = new Map<string, string>()
  // What a law says of it goes before what a validator says.
  const departures = new Map<string, string>()
  const looks = new Map<string, number>()

  return {
    see(exchange) {
      const { view, reply, body } = exchange
      const key = `${view?.id} ${reply.status}`
      const looked = looks.get(key) ?? 0
      if (!view || body === undefined || looked >= LOOKED_AT) return
      looks.set(key, looked + 1)
      // Whether or not the run is about the form of answers: what departs from an answer confirms nothing.
      for (const { question, message } of findingsOf(exchange, contract, () => true) ?? [])
        first(departures, question, message)
      for (const question of questionsIn(exchange, view, contract)) count(bearing, question, FORM)
    },
    confirmed: (question, law) => void (question !== undefined && count(bearing, question, law)),
    contradicted: (question, message) => first(seen, question, message),
    all(laws) {
      const all = withLaws(bearing, laws)
      const ids = new Set([...Object.keys(register), ...all.keys(), ...seen.keys(), ...departures.keys()])
      return [...ids].map((question) =>
        verdictOf(
          question,
          register,
          all.get(question) ?? new Map(),
          seen.get(question) ?? departures.get(question),
        ),
      )
    },
  }
}

/** How often each law bore on each question. */
type Bearing = Map<string, Map<string, number>>

function count(bearing: Bearing, question: string, law: string, times = 1): void {
  const by = bearing.get(question) ?? new Map<string, number>()
  bearing.set(question, by.set(law, (by.get(law) ?? 0) + times))
}

/** With the cases of laws besides: those of one that was not assessed say nothing. */
function withLaws(bearing: Bearing, laws: readonly LawResult[]): Bearing {
  const all: Bearing = new Map([...bearing].map(([question, by]) => [question, new Map(by)]))
  for (const { law, question, status, cases, masked } of laws)
    if (question !== undefined && status !== 'not-assessed' && cases > masked)
      count(all, question, law, cases - masked)
  return all
}

/** Keeps what was seen first. */
function first(seen: Map<string, string>, question: string | undefined, message: string): void {
  if (question !== undefined && !seen.has(question)) seen.set(question, message)
}

/** What the members of an answer are held to. */
const FORM = 'response-schema'
/** Questions that laws try by requests of their own: the form of answers alone does not settle them. */
const TRIED = new Set(
  allLaws.flatMap(({ question, run }) => (run && question !== undefined ? [question] : [])),
)

/** The questions whose marks an answer has met, once for each place. */
function questionsIn({ reply, body }: Exchange, view: OperationView, { document }: Contract): string[] {
  const response = document.follow(below(view.pointer, 'responses', String(reply.status)))
  const type = (headerOf(reply.headers, 'content-type') ?? '').split(';', 1)[0]?.trim() ?? ''
  const found = questionsOf(response.node)
  walk(document, below(response.pointer, 'content', type, 'schema'), body, (pointer) => {
    found.push(...questionsOf(nodeOf(document.at(pointer))))
  })
  return found
}

function questionsOf({ 'x-open-question': mark }: Readonly<Record<string, unknown>>): string[] {
  if (typeof mark === 'string') return [mark]
  return Object.entries(nodeOf(mark)).flatMap(([word, id]) => (BEYOND_FORM.has(word) ? [] : [String(id)]))
}

function verdictOf(
  question: string,
  register: Register,
  bearing: ReadonlyMap<string, number>,
  seen: string | undefined,
): Verdict {
  const { question: text = '', answer = '', basis = 'assumed' } = register[question] ?? {}
  const exercised = [...bearing.values()].reduce((sum, it) => sum + it, seen === undefined ? 0 : 1)
  const by = [...bearing.keys()].sort()
  const isTried = TRIED.has(question) ? by.some((law) => law !== FORM) : by.length > 0
  const verdict = seen !== undefined ? 'contradicted' : isTried ? 'confirmed' : 'not-exercised'
  return { question, text, answer, basis, verdict, seen, exercised, by }
}
