import type { Finding as Fault } from '@partner-payments/validator'
import { canApply } from '../engine/applicability.ts'
import { citationFor } from '../engine/citation.ts'
import { evidenceOf } from '../engine/evidence.ts'
import { createObserver, type Observer } from '../engine/observer.ts'
import { contractFields, type Result, type RuleResult } from '../engine/result.ts'
import { questionOfRule, type Rule } from '../engine/rule.ts'
import type { Contract } from '../model/contract.ts'
import type { ContractSource } from '../model/contract-source.ts'
import type { Exchange } from '../model/exchange.ts'
import { type HttpRequest, type HttpResponse, jsonIn, parsed } from '../model/http.ts'
import type { OperationView } from '../model/operation-view.ts'
import { profile } from '../profiles/index.ts'
import { createMask } from '../transport/mask.ts'
import { maskSecrets } from './secrets.ts'

/** Judges traffic of other clients. */
export interface Watcher {
  /** Judges one exchange. The path is relative to the base URL. */
  see(request: HttpRequest, response: HttpResponse): void
  result(): Result
}

export interface WatcherOptions extends ContractSource {
  /** Base URL, for reports. */
  readonly url: string
  /** Whether requests are judged too. Default: true. */
  readonly requests?: boolean
  /** Whether each invalid value of a response is reported, not one per node of the contract. Default: false. */
  readonly isPerPlace?: boolean
}

/** Judges the client, so it is not among the rules of a service. */
const REQUEST_RULE = {
  id: 'request-conforms',
  phase: 'responses',
  cites: 'contract',
  title: 'Every request is one that the contract describes.',
  advice: 'Send the request as the contract says; the service may refuse it otherwise.',
} satisfies Rule

export function createWatcher(options: WatcherOptions): Watcher {
  const { contract, register, behaviour, url, requests = true, isPerPlace = false } = options
  const mask = createMask()
  // Without a rule, since each request was recorded as it was sent.
  const show = (exchange: Exchange) => evidenceOf(exchange, { base: url, mask, contract })
  const observer = createObserver({ contract, profile, options: {}, register, behaviour, show, isPerPlace })
  const every = profile.rules.filter((rule) => rule.judgeResponse && canApply(contract, rule))
  const began = Date.now()
  let count = 0

  function judgeRequest(exchange: Exchange, request: HttpRequest): void {
    for (const fault of faultsOf(contract, exchange, request)) {
      const { contract: at, keyword: about, message, pointer, place, question } = fault
      const text = `${place} ${pointer}`.trim()
      const failed = {
        operation: exchange.view?.id,
        contract: at,
        about,
        message: `The request, ${text}: ${message}.`,
      }
      observer.findingStore.add(
        REQUEST_RULE,
        {
          ...failed,
          citation: citationFor(question === undefined ? 'contract' : { question }, at, contract),
        },
        () => show(exchange),
      )
    }
  }

  function ruleResults(): RuleResult[] {
    const results = every.map((rule) =>
      ruleResult(rule, observer.tallies.get(rule.id)?.cases ?? 0, contract, observer),
    )
    return requests ? [...results, ruleResult(REQUEST_RULE, count, contract, observer)] : results
  }

  return {
    see(request, response) {
      count++
      const exchange = exchangeOf(contract, request, response)
      maskSecrets(mask, request, exchange.body)
      observer.observe(exchange)
      if (requests) judgeRequest(exchange, request)
    },
    result() {
      const rules = ruleResults()
      return {
        target: 'traffic',
        url,
        ...contractFields(contract),
        seed: 0,
        shard: undefined,
        startedAt: new Date(began).toISOString(),
        ms: Date.now() - began,
        requests: count,
        cases: count,
        rules,
        findings: observer.findingStore.findings(),
        baselined: [],
        verdicts: observer.verdicts.all(rules),
        coverage: observer.coverage.result(),
      }
    },
  }
}

/** A HEAD is judged as the GET of its path (RFC 9110, section 9.3.2). */
function exchangeOf(contract: Contract, request: HttpRequest, response: HttpResponse): Exchange {
  const bare = request.path.split('?', 1)[0] ?? ''
  const found = contract.validator.findOperation(request.method === 'HEAD' ? 'GET' : request.method, bare)
  const view: OperationView | undefined = found.found
    ? contract.operations.find(({ operation }) => operation === found.operation)
    : undefined
  const path = found.found ? found.parameters : {}
  // Other headers, such as cookies, stay out of reports.
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => SHOWN.includes(name)))
  return { view, input: { path }, request: { ...request, headers }, response, body: parsed(response) }
}

const SHOWN = ['accept', 'authorization', 'content-type']

function faultsOf({ validator }: Contract, { view }: Exchange, request: HttpRequest): readonly Fault[] {
  const { method, headers, body } = request
  if (method === 'HEAD' && view) return []
  const [path = '', query = ''] = request.path.split(/\?(.*)/s)
  const value = body === undefined || body === '' ? {} : { body: bodyOf(body, headers['content-type']) }
  return validator.validateRequest({ method, path, query, headers, ...value }, { unknown: true })
}

function bodyOf(text: string, type = ''): unknown {
  const value = /json/i.test(type) ? jsonIn(text) : undefined
  return value === undefined ? text : value
}

function ruleResult(
  rule: Rule,
  cases: number,
  contract: Contract,
  { findingStore, faults }: Observer,
): RuleResult {
  const { id, title, phase } = rule
  const isBroken = findingStore.count(id) > 0
  const nothing = cases === 0 ? 'no response that it applies to was received' : undefined
  const reason = isBroken ? undefined : (faults.get(id) ?? nothing)
  const status = isBroken ? 'failed' : reason === undefined ? 'passed' : 'not-assessed'
  const question = questionOfRule(rule, contract)
  return { rule: id, title, phase, question, status, reason, cases, inconclusive: 0, ms: 0 }
}
