import type { Behaviour } from '@partner-payments/spec/behaviour'
import type { Contract } from '../model/contract.ts'
import type { Register } from '../model/contract-source.ts'
import type { Exchange } from '../model/exchange.ts'
import { isApplicable, isInScope } from './applicability.ts'
import type { CheckOptions } from './check-options.ts'
import { type Cites, citationFor, questionOf } from './citation.ts'
import { createCoverage } from './coverage.ts'
import { type Cited, createFindingStore } from './finding-store.ts'
import type { Profile } from './profile.ts'
import type { Evidence } from './result.ts'
import type { Rule } from './rule.ts'
import { createTally, type Tally } from './tally.ts'
import { createVerdicts } from './verdicts.ts'
import type { Judgement, Violation } from './violation.ts'

export type Observer = ReturnType<typeof createObserver>

interface ObserverOptions {
  readonly contract: Contract
  readonly options: Pick<CheckOptions, 'only' | 'operations' | 'shard' | 'responseWithinMs' | 'target'>
  readonly profile: Pick<Profile, 'rules' | 'checks'>
  readonly register: Register
  readonly behaviour: Behaviour
  /** An exchange as reports show it. */
  readonly show: (exchange: Exchange, rule: Rule) => Evidence
  /**
   * Whether each invalid value of a response is reported, not one per node of the contract. Default: false.
   */
  readonly isPerPlace?: boolean
}

/** Collects findings, verdicts on open questions, coverage and the tallies of rules from exchanges. */
export function createObserver({
  contract,
  profile,
  options,
  register,
  behaviour,
  show,
  isPerPlace = false,
}: ObserverOptions) {
  const { rules } = profile
  const findingStore = createFindingStore()
  const verdicts = createVerdicts(contract, rules, register, behaviour)
  const coverage = createCoverage(contract, options.operations)
  const every = rules.filter(
    (rule) =>
      rule.judgeResponse &&
      isApplicable({ contract, behaviour, profile, options }, rule) &&
      !(rule.stateful && options.target === 'mock'),
  )
  const faults = new Map<string, string>()
  const memory = new Map<string, unknown>()
  const tallies = new Map<string, Tally>(rules.map(({ id }) => [id, createTally()]))

  function record(rule: Rule, exchange: Exchange, violation: Violation): void {
    const it = withCitation(
      contract,
      rule,
      isPerPlace ? { ...violation, about: `${violation.about} ${violation.message}` } : violation,
    )
    findingStore.add(rule, it, () => show(exchange, rule))
    verdicts.contradicted(questionOf(it.citation), it.message)
  }

  function judgeResponse(rule: Rule, exchange: Exchange): void {
    if (exchange.response.status === 0 && rule.id !== 'response-received') return
    const found = judgementsOf(rule, exchange)?.filter(({ operation }) => isInScope(options, operation))
    if (!found || !isInScope(options, exchange.view?.id)) return
    const tally = tallies.get(rule.id)
    if (tally) tally.cases++
    for (const { message, ...it } of found) {
      if (message === undefined) verdicts.confirmed(it.question, rule.id)
      else record(rule, exchange, { ...it, message })
    }
  }

  function judgementsOf(rule: Rule, exchange: Exchange): readonly Judgement[] | undefined {
    try {
      return rule.judgeResponse?.(exchange, contract, {
        ...options,
        behaviour,
        memory,
        checks: profile.checks,
      })
    } catch (error) {
      faults.set(rule.id, internalError(error))
      return undefined
    }
  }

  return {
    findingStore,
    verdicts,
    coverage,
    tallies,
    /** Internal errors by rule. */
    faults,
    record,
    /** Whether any selected rule judges responses, so that traffic has to be caused for it. */
    judgesResponses: every.length > 0,
    /** Applies all rules that judge responses. */
    observe(exchange: Exchange): void {
      // The control API of the sandbox is not part of the contract.
      if (exchange.request.path.startsWith('/_sandbox/')) return
      coverage.see(exchange)
      verdicts.see(exchange)
      for (const rule of every) judgeResponse(rule, exchange)
    },
  }
}

export function internalError(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
  return `the rule failed with an internal error: ${line}`
}

function withCitation(contract: Contract, rule: Rule, violation: Violation): Cited {
  const cites = violation.cites ?? citesOf(rule, violation)
  return { ...violation, citation: citationFor(cites, violation.contract, contract) }
}

/**
 * The question of a violation takes precedence over what the rule cites; if it is explicitly undefined, the
 * node decides.
 */
function citesOf(rule: Rule, violation: Violation): Cites {
  if (violation.question !== undefined) return { question: violation.question }
  return Object.hasOwn(violation, 'question') ? 'contract' : rule.cites
}
