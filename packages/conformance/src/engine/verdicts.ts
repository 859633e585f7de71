import type { Behaviour } from '@partner-payments/spec/behaviour'
import type { Contract } from '../model/contract.ts'
import { below, nodeOf } from '../model/document.ts'
import type { Exchange } from '../model/exchange.ts'
import { headerOf } from '../model/http.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Register } from '../model/register.ts'
import { walk } from '../model/walk.ts'
import { responseViolations } from './response-violations.ts'
import type { RuleResult, Verdict } from './result.ts'
import { questionOfRule, type Rule } from './rule.ts'

/** What the service answers to the questions that the document leaves open. */
export interface Verdicts {
  /** An answer bears on the questions whose marks its members carry, and keeps their answers or does not. */
  see(exchange: Exchange): void
  /** A case of a rule bore on a question, and kept its answer. */
  confirmed(question: string | undefined, rule: string): void
  contradicted(question: string | undefined, seen: string): void
  all(rules: readonly RuleResult[]): Verdict[]
}

/** Words of marks that no form of a value can show: rules do. */
const NOT_SHOWN_BY_VALUE = new Set([
  'meaning',
  'presence',
  'default',
  'x-effect',
  'description',
  'version',
  'requestBody',
])
/** Answers of one operation and status that are looked at. */
const MAX_LOOKED_AT = 30

export function createVerdicts(
  contract: Contract,
  tried: readonly Rule[],
  register: Register = {},
  behaviour: Behaviour = {},
): Verdicts {
  /** Questions that rules try by requests of their own: the form of responses alone does not settle them. */
  const isTried = new Set(
    tried
      .filter(({ run }) => run)
      .flatMap((rule) =>
        [questionOfRule(rule, contract) ?? [], ...(rule.questions?.(behaviour) ?? [])].flat(),
      ),
  )
  const bearing: Counts = new Map()
  const seen = new Map<string, string>()
  // What a rule says of it goes before what a validator says.
  const departures = new Map<string, string>()
  const looks = new Map<string, number>()

  return {
    see(exchange) {
      const { view, response, body } = exchange
      const key = `${view?.id} ${response.status}`
      const looked = looks.get(key) ?? 0
      if (!view || body === undefined || looked >= MAX_LOOKED_AT) return
      looks.set(key, looked + 1)
      // Whether or not the run is about the form of answers: what departs from an answer confirms nothing.
      for (const { question, message } of responseViolations(exchange, contract, () => true) ?? [])
        setIfAbsent(departures, question, message)
      for (const question of questionsIn(exchange, view, contract)) count(bearing, question, SCHEMA_RULE)
    },
    confirmed: (question, rule) => void (question !== undefined && count(bearing, question, rule)),
    contradicted: (question, message) => setIfAbsent(seen, question, message),
    all(rules) {
      const all = withRules(bearing, rules)
      const ids = new Set([...Object.keys(register), ...all.keys(), ...seen.keys(), ...departures.keys()])
      return [...ids].map((question) =>
        verdictOf(
          { question, isTried: isTried.has(question) },
          register,
          all.get(question) ?? new Map(),
          seen.get(question) ?? departures.get(question),
        ),
      )
    },
  }
}

/** How often each rule bore on each question. */
type Counts = Map<string, Map<string, number>>

function count(bearing: Counts, question: string, rule: string, times = 1): void {
  const by = bearing.get(question) ?? new Map<string, number>()
  bearing.set(question, by.set(rule, (by.get(rule) ?? 0) + times))
}

/** With the cases of rules besides: those of one that was not assessed say nothing. */
function withRules(bearing: Counts, rules: readonly RuleResult[]): Counts {
  const all: Counts = new Map([...bearing].map(([question, by]) => [question, new Map(by)]))
  for (const { rule, question, status, cases, inconclusive } of rules)
    if (question !== undefined && status !== 'not-assessed' && cases > inconclusive)
      count(all, question, rule, cases - inconclusive)
  return all
}

/** Keeps what was seen first. */
function setIfAbsent(seen: Map<string, string>, question: string | undefined, message: string): void {
  if (question !== undefined && !seen.has(question)) seen.set(question, message)
}

/** What the members of an answer are held to. */
const SCHEMA_RULE = 'response-schema'

/** The questions whose marks an answer has met, once for each place. */
function questionsIn({ response, body }: Exchange, view: OperationView, { document }: Contract): string[] {
  const declared = document.follow(below(view.pointer, 'responses', String(response.status)))
  const type = (headerOf(response.headers, 'content-type') ?? '').split(';', 1)[0]?.trim() ?? ''
  // The form of a refusal is one question, which rules try.
  if (response.status >= 400) return []
  const found = questionsOf(declared.node)
  walk(document, below(declared.pointer, 'content', type, 'schema'), body, (pointer) => {
    found.push(...questionsOf(nodeOf(document.at(pointer))))
  })
  return found
}

/** Keywords by which a value shows that it follows an assumption; a type alone shows nothing. */
const ASSERTIONS =
  /^(enum|const|pattern|format|required|oneOf|anyOf|multipleOf|(exclusive)?(min|max)[A-Z]?\w*)$/

function questionsOf(node: Readonly<Record<string, unknown>>): string[] {
  const { 'x-open-question': mark } = node
  if (typeof mark === 'string') return Object.keys(node).some((it) => ASSERTIONS.test(it)) ? [mark] : []
  return Object.entries(nodeOf(mark)).flatMap(([word, id]) =>
    NOT_SHOWN_BY_VALUE.has(word) ? [] : [String(id)],
  )
}

function verdictOf(
  { question, isTried: needsRule }: { readonly question: string; readonly isTried: boolean },
  register: Register,
  bearing: ReadonlyMap<string, number>,
  seen: string | undefined,
): Verdict {
  const { question: text = '', assumption = '', basis = 'assumed' } = register[question] ?? {}
  const exercised = [...bearing.values()].reduce((sum, it) => sum + it, seen === undefined ? 0 : 1)
  const by = [...bearing.keys()].sort()
  const isTried = needsRule ? by.some((rule) => rule !== SCHEMA_RULE) : by.length > 0
  const verdict = seen !== undefined ? 'contradicted' : isTried ? 'confirmed' : 'not-exercised'
  return { question, text, assumption, basis, verdict, seen, exercised, by }
}
