import type { Behaviour } from '@partner-payments/spec/behaviour'
import type { Contract } from '../model/contract.ts'
import type { Register } from '../model/contract-source.ts'
import { below, nodeOf } from '../model/document.ts'
import type { Exchange } from '../model/exchange.ts'
import { bareMediaType, headerOf } from '../model/http.ts'
import type { OperationView } from '../model/operation-view.ts'
import { walk } from '../model/schema-walk.ts'
import { responseViolations } from './response-violations.ts'
import type { RuleResult, Verdict } from './result.ts'
import { questionOfRule, type Rule } from './rule.ts'

/** Collects evidence on the open questions. */
export interface Verdicts {
  /** Records the questions of all marked fields in a response, and violations of their schemas. */
  see(exchange: Exchange): void
  /** Records that a case agrees with an assumption. */
  confirmed(question: string | undefined, rule: string): void
  contradicted(question: string | undefined, seen: string): void
  all(rules: readonly RuleResult[]): Verdict[]
}

/** Aspects of a mark that a value cannot show; rules verify them. */
const NOT_SHOWN_BY_VALUE = new Set([
  'meaning',
  'presence',
  'default',
  'x-effect',
  'description',
  'version',
  'requestBody',
])
/** Responses examined per operation and status. */
const MAX_LOOKED_AT = 30

export function createVerdicts(
  contract: Contract,
  tried: readonly Rule[],
  register: Register = {},
  behaviour: Behaviour = {},
): Verdicts {
  /** Questions that rules verify with requests of their own; responses alone do not confirm these. */
  const isTried = new Set(
    tried
      .filter(({ run }) => run)
      .flatMap((rule) =>
        [questionOfRule(rule, contract) ?? [], ...(rule.questions?.(behaviour) ?? [])].flat(),
      ),
  )
  const bearing: Counts = new Map()
  const seen = new Map<string, string>()
  // The violation of a rule takes precedence over one of the validator.
  const departures = new Map<string, string>()
  const looks = new Map<string, number>()

  return {
    see(exchange) {
      const { view, response, body } = exchange
      const key = `${view?.id} ${response.status}`
      const looked = looks.get(key) ?? 0
      if (!view || body === undefined || looked >= MAX_LOOKED_AT) return
      looks.set(key, looked + 1)
      // Even if no rule on schemas is selected, a response that differs from an assumption must not confirm
      // it. An additional field differs from none.
      const isDifference = ({ keyword }: { readonly keyword: string }) => keyword !== 'unknown'
      for (const { question, message } of responseViolations(exchange, contract, isDifference) ?? [])
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

/** Observations by question and rule. */
type Counts = Map<string, Map<string, number>>

function count(bearing: Counts, question: string, rule: string, times = 1): void {
  const by = bearing.get(question) ?? new Map<string, number>()
  bearing.set(question, by.set(rule, (by.get(rule) ?? 0) + times))
}

/** Adds the cases of rules. Rules that were not assessed add nothing. */
function withRules(bearing: Counts, rules: readonly RuleResult[]): Counts {
  const all: Counts = new Map([...bearing].map(([question, by]) => [question, new Map(by)]))
  for (const { rule, question, status, cases, inconclusive } of rules)
    if (question !== undefined && status !== 'not-assessed' && cases > inconclusive)
      count(all, question, rule, cases - inconclusive)
  return all
}

function setIfAbsent(seen: Map<string, string>, question: string | undefined, message: string): void {
  if (question !== undefined && !seen.has(question)) seen.set(question, message)
}

const SCHEMA_RULE = 'response-schema'

/** The open questions of all nodes that describe a response. */
function questionsIn({ response, body }: Exchange, view: OperationView, { document }: Contract): string[] {
  const declared = document.follow(below(view.pointer, 'responses', String(response.status)))
  const type = bareMediaType(headerOf(response.headers, 'content-type'))
  // The format of errors is one question, which rules verify.
  if (response.status >= 400) return []
  const found = questionsOf(declared.node)
  walk(document, below(declared.pointer, 'content', type, 'schema'), body, (pointer) => {
    found.push(...questionsOf(nodeOf(document.at(pointer))))
  })
  return found
}

/** Keywords that a value can satisfy or break; a type alone is no evidence. */
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
