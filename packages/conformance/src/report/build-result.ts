import type { Copies } from '@partner-payments/spec/behaviour'
import { behaviour } from '../contract/behaviour.ts'
import type { Contract } from '../contract/contract.ts'
import { ServiceForm } from '../form/service-form.ts'
import { createReader, type ReadOptions } from '../read.ts'
import type { Rule } from '../rules/rule.ts'
import { findOwnServiceByHeader, type OwnService } from '../send/own-service.ts'
import { createCoverage, createUnknownCounts } from './coverage.ts'
import { createEvidenceMasker, type MaskerOptions, signInCommands } from './evidence.ts'
import {
  type Cites,
  describeObservation,
  type Found,
  type Summary,
  type Verdict,
} from './report.ts'
import { type Finding, type Result, type RuleResult, readSubject } from './result.ts'
import type { Sighting } from './sightings.ts'

/** How to read a history, which rules read it, and what the user said of the service. */
type BuilderOptions = Omit<ReadOptions, 'onExchange'> &
  Omit<MaskerOptions, 'words'> & { readonly rules: readonly Rule[] }

/**
 * When a result is taken:
 *
 * - `so far`: the history goes on, so the rules that judge a whole history have not judged it yet;
 * - `at the end`: the result ends the history, and these rules judge it too.
 */
export type ResultMoment = 'so far' | 'at the end'

/** What only a run knows of itself. */
export interface RunFacts
  extends Pick<Result, 'target' | 'own' | 'seed' | 'notSent' | 'leftovers' | 'interrupted'> {
  /** Rules that a plan wanted a case of. One without is inconclusive. */
  readonly wanted: readonly string[]
  /** Rules that are inconclusive whatever cases they have. */
  readonly inconclusive: readonly string[]
}

/**
 * Reads a history, and builds its result. It takes the time from its creation for that of the run.
 */
export function createResultBuilder(options: BuilderOptions) {
  const { contract, rules, base, operations, other } = options
  const form = options.form ?? new ServiceForm({}, base)
  const masker = createEvidenceMasker({ ...options, words: collectWords(contract, rules) })
  const coverage = createCoverage(contract, operations)
  const startedAtMs = Date.now()
  const unknown = createUnknownCounts()
  let requests = 0
  let ownService: OwnService | undefined
  const reader = createReader({
    ...options,
    form,
    /** Counts an exchange and what it shows, before the rules read it. */
    onExchange(exchange) {
      requests++
      ownService ??= findOwnServiceByHeader(exchange.response?.headers.server)
      masker.see(exchange)
      unknown.see(exchange)
      coverage.see(exchange)
    },
  })

  /** Completes a finding for reports: adds the advice of its rule and its place, and masks secrets. */
  function toFinding({ evidence, message, cites, ...others }: Found): Finding {
    // The place in the contract that was broken or, if the finding cites none, its operation.
    const place = 'pointer' in cites ? cites.pointer : findOperationPointer(others.operation)
    return {
      ...others,
      message: masker.message(message),
      cites: completeCitation(cites),
      advice: rules.find(({ id }) => id === others.rule)?.advice ?? '',
      contract: place,
      question: 'question' in cites ? cites.question : undefined,
      evidence: masker.evidence(evidence),
    }
  }

  /**
   * Completes what a finding cites, for reports: `{ fact: 'tx-ids' }` becomes `{ fact: 'tx-ids', section: '3.2' }`. An
   * open question gets where a running service has shown it, if one has. Secrets in what the service said
   * itself are masked.
   */
  function completeCitation(cites: Cites): Cites {
    if ('fact' in cites) return { ...cites, section: contract.sections.get(cites.fact) ?? '' }
    // What the service itself said in an earlier response.
    if ('own' in cites) return { own: { ...cites.own, says: masker.message(cites.own.says) } }
    if ('question' in cites) {
      const observed = contract.questions[cites.question]?.observed
      return observed ? { ...cites, observed: describeObservation(observed) } : cites
    }
    return cites
  }

  /** A verdict with what was seen without secrets: a service may show a token as the status of a record. */
  function maskVerdict(verdict: Verdict): Verdict {
    const { seen } = verdict
    const values = verdict.values.map((value) => masker.message(value))
    return { ...verdict, values, ...(seen && { seen: masker.message(seen) }) }
  }

  /** A sighting with what was seen, and how often, without secrets. */
  function maskSighting(sighting: Sighting): Sighting {
    const seenWords = Object.entries(sighting.seen)
    const masked = seenWords.map(([word, count]) => [masker.message(word), count])
    return { ...sighting, seen: Object.fromEntries(masked) }
  }

  /** Finds the place of an operation in the contract; empty if it has none of this id. */
  function findOperationPointer(operationId: string | undefined): string {
    const operation = contract.operations.find(({ id, isAlias }) => id === operationId && !isAlias)
    return operation?.declaration.pointer ?? ''
  }

  return {
    history: reader.history,
    takeLooks: reader.takeLooks,
    count: () => ({ requests, findings: reader.look().findings.length }),
    /** The findings that were not returned before, or only as less severe. */
    newFindings: (): Finding[] => reader.takeNewFindings().map(toFinding),
    /**
     * Builds the result of a run: what each rule found, the verdict on each open question, and how much
     * was observed. At the end, the rules that judge a whole history judge it first.
     */
    result({ wanted, inconclusive, ...run }: RunFacts, when: ResultMoment = 'at the end'): Result {
      const summary = when === 'so far' ? reader.concludeLooks() : reader.endHistory()
      const results = rules.map((rule) => buildRuleResult(rule, summary, { wanted, inconclusive }))
      return {
        ...(ownService !== undefined && { own: ownService }),
        ...run,
        requests,
        form: reader.form.learned,
        changedElsewhere: summary.changedElsewhere,
        forgotten: summary.forgotten,
        unknown: unknown.result(),
        startedAt: new Date(startedAtMs).toISOString(),
        ms: Date.now() - startedAtMs,
        url: `${base}/`,
        contract: contract.info,
        cases: results.reduce((sum, { cases }) => sum + cases, 0),
        rules: results,
        findings: summary.findings.map(toFinding),
        baselined: [],
        verdicts: summary.verdicts.map(maskVerdict),
        sightings: summary.sightings.map(maskSighting),
        coverage: coverage.result(),
        entriesWithoutCase: listEntriesWithoutCase(summary),
        signIn: signInCommands(base, other !== undefined),
      }
    },
  }
}

/**
 * Lists the entries of spec/behaviour that rules execute one by one, so that each must have a case:
 * `['/invariants/total', '/copies/check-shows-charge/from/0', …]`. A copy is a field that one response must show as
 * another one has shown it; it has an entry for each operation that it is copied `from`.
 */
function listExecutedEntries(): string[] {
  const entries = Object.keys(behaviour.invariants).map((name) => `/invariants/${name}`)
  for (const [name, { from: sources }] of Object.entries<Copies[string]>(behaviour.copies))
    for (const index of sources.keys()) entries.push(`/copies/${name}/from/${index}`)
  return entries
}

/** Lists the executed entries that had no case. */
function listEntriesWithoutCase({ entries }: Summary): string[] {
  return listExecutedEntries().filter((entry) => !entries.has(entry))
}

/**
 * Collects the words that the checker's own messages use: names of fields in the contract, and the words of
 * the rules. Outside of quotes, such a word is not masked, even if some secret is the same word.
 */
export function collectWords(
  { operations }: Contract,
  rules: readonly Rule[],
): ReadonlySet<string> {
  const words = new Set<string>()
  // All operations share the document of the contract. Only the shorter paths of some operations, which are
  // last in the list, have one of their own.
  const document = JSON.stringify(operations[0]?.validator.document)
  for (const [, name = ''] of document.matchAll(/"(\w+)":/g)) words.add(name)
  for (const { says, advice } of rules)
    for (const word of `${says} ${advice}`.toLowerCase().split(/\W+/)) words.add(word)
  return words
}

/**
 * Builds what a report shows of a rule: its status, and the number of its cases, which are the exchanges
 * that it judged.
 *
 * @param wanted The rules that the plans of this run wanted a case of.
 * @param inconclusive The rules that are inconclusive whatever cases they have.
 */
function buildRuleResult(
  { id, says, advice }: Rule,
  { cases, findings, spentMs }: Summary,
  { wanted, inconclusive }: Pick<RunFacts, 'wanted' | 'inconclusive'>,
): RuleResult {
  const { passed = 0, failed = 0 } = cases.get(id) ?? {}
  const count = passed + failed

  function findStatus(): RuleResult['status'] {
    if (findings.some(({ rule }) => rule === id)) return 'failed'
    if (inconclusive.includes(id)) return 'inconclusive'
    if (count > 0) return 'passed'
    // A plan tried to cause a case, and the service did not let it.
    return wanted.includes(id) ? 'inconclusive' : 'not-assessed'
  }

  return {
    rule: id,
    says,
    advice,
    subject: readSubject(id),
    status: findStatus(),
    cases: count,
    ms: Math.round(spentMs.get(id) ?? 0),
  }
}
