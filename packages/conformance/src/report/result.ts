import type { Copies } from '@partner-payments/spec/behaviour'
import { behaviour } from '../contract/behaviour.ts'
import { type Contract, type Operation, resolveReference } from '../contract/contract.ts'
import { fieldsOf, valueAt } from '../contract/json.ts'
import type { Learned } from '../form/own-form.ts'
import { type Exchange, mediaTypeOf } from '../model/exchange.ts'
import { createReader, type ReadOptions } from '../read.ts'
import type { Rule } from '../rules/rule.ts'
import type { Target } from '../send/guard.ts'
import { type OwnService, ownServiceOf } from '../send/own-service.ts'
import { createShower, type Evidence, type ShowerOptions, signInCommands } from './evidence.ts'
import { type Cites, type Found, observationOf, type Summary, type Verdict } from './report.ts'
import type { Sighting } from './sightings.ts'

/** A difference between the service and the contract, as reports show it. */
export interface Finding extends Omit<Found, 'evidence'> {
  /** One sentence: what to do. */
  readonly advice: string
  /** JSON pointer into the bundled contract (RFC 6901); empty if there is no node to name. */
  readonly contract: string
  /** The open question whose assumption the service differs from; undefined for a failure. */
  readonly question: string | undefined
  /** The first of the most severe cases that show the finding. */
  readonly evidence: Evidence
}

/** A finding that the baseline accepts. */
export interface BaselinedFinding extends Finding {
  /** Last day of acceptance: an RFC 3339 full-date, UTC. */
  readonly until: string
  /** The reason, from the baseline. */
  readonly why: string
  /** What it said when it was accepted, if it says something else now. */
  readonly messageBefore?: string
}

/** The outcome of a rule. One that is inconclusive or not assessed does not count as passed. */
export interface RuleResult {
  readonly rule: string
  /** What must hold, in one sentence. */
  readonly says: string
  readonly advice: string
  /** The first word of its id: `responses`, `access`, `lists`. */
  readonly subject: string
  /**
   * `inconclusive`: requests were sent to get a case, and there was none; or valid requests, and
   * none of a kind was accepted. `not-assessed`: nothing was sent for it.
   */
  readonly status: 'passed' | 'failed' | 'inconclusive' | 'not-assessed'
  /** Cases that passed and failed. */
  readonly cases: number
  /** Milliseconds that the rule took to read the history. */
  readonly ms: number
}

/** How much of the contract was observed. */
export interface Coverage {
  readonly operations: readonly {
    readonly operation: string
    readonly successes: number
    readonly requests: number
  }[]
  /** The declared statuses and media types of responses. */
  readonly rows: readonly {
    readonly operation: string
    readonly status: string
    readonly mediaType: string
    readonly seen: number
  }[]
}

/** What of the traffic is not known, so that rules which need it had no case. */
export interface UnknownCounts {
  /** Requests whose body was not recorded. */
  readonly requestBodies: number
  /** Responses whose body was not recorded, or cannot be decoded. */
  readonly responseBodies: number
  /** Requests of a proxy whose path is not in its normal form, so that no operation is known. */
  readonly targets: number
  /** Values that were redacted. */
  readonly values: number
  /** Messages with headers that were redacted or not recorded. */
  readonly headers: number
  /** Exchanges with no time that can be read. */
  readonly times: number
  /** Entries of a recording that name no request. */
  readonly unreadable: number
  /** Entries that the service did not respond to: a cache, the browser, a test, or nobody did. */
  readonly notResponded: number
  /** Entries that were recorded a second time. */
  readonly recordedTwice: number
}

/** The counts of traffic of which everything is known. */
export const NOTHING_UNKNOWN = {
  requestBodies: 0,
  responseBodies: 0,
  targets: 0,
  values: 0,
  headers: 0,
  times: 0,
  unreadable: 0,
  notResponded: 0,
  recordedTwice: 0,
} satisfies UnknownCounts

/** The result of a run. */
export interface Result {
  /** `traffic` if recorded or watched traffic was judged and nothing was sent. */
  readonly target: Target | 'traffic'
  /** Base URL, without credentials. */
  readonly url: string
  /** Set if the service is our own sandbox or mock, which only repeat the contract. */
  readonly own?: OwnService
  readonly contract: { readonly title: string; readonly version: string }
  /** Why the run ended early, such as `Ctrl-C`. Absent if it completed. */
  readonly interrupted?: string
  readonly seed: number
  /** RFC 3339. */
  readonly startedAt: string
  readonly ms: number
  readonly requests: number
  readonly cases: number
  readonly rules: readonly RuleResult[]
  /** The most severe first. */
  readonly findings: readonly Finding[]
  /** Findings that the baseline accepts. */
  readonly baselined: readonly BaselinedFinding[]
  readonly verdicts: readonly Verdict[]
  /** What was seen wherever the contract is no fact. Values are masked. */
  readonly sightings: readonly Sighting[]
  readonly coverage: Coverage
  /** The entries of spec/behaviour that had no case, such as `/copies/user-of-partner/from/0`. */
  readonly entriesWithoutCase: readonly string[]
  /** Why requests were not sent. */
  readonly notSent: readonly string[]
  /**
   * How the service writes what the contract assumes: what a history showed, or the user said. It was
   * read in this form.
   */
  readonly form: readonly Learned[]
  /**
   * Paths of records that the run created and could not remove; on a live service also its transfers,
   * and creations that got no response.
   */
  readonly leftovers: readonly string[]
  /**
   * Changes of records that no request of the history explains: somebody else writes to the service
   * too.
   */
  readonly changedElsewhere: number
  /** Records and tokens that were forgotten, because there were too many. */
  readonly forgotten: number
  /** What of the traffic is not known. */
  readonly unknown: UnknownCounts
  /**
   * POSIX shell commands, one per line, that set the variables of the commands in findings. They
   * read CLIENT_KEY and CLIENT_SECRET, and OTHER_KEY and OTHER_SECRET for a second partner.
   */
  readonly signIn: string
}

type BuilderOptions = Omit<ReadOptions, 'onExchange'> &
  Omit<ShowerOptions, 'words'> & { readonly rules: readonly Rule[] }

/**
 * When a result is taken:
 *
 * - `so far`: the history goes on, so the rules that judge a whole history have not judged it yet;
 * - `at the end`: the result ends the history, and these rules judge it too.
 */
export type ResultMoment = 'so far' | 'at the end'

/** What only a run knows of itself. */
export interface Run
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
  const shower = createShower({ ...options, words: wordsOf(contract, rules) })
  const coverage = createCoverage(contract, operations)
  const began = Date.now()
  const reported = new Set<string>()
  const unknown = createUnknownCounts()
  let requests = 0
  let own: OwnService | undefined
  const reader = createReader({
    ...options,
    onExchange(exchange) {
      requests++
      own ??= ownServiceOf(exchange.response?.headers.server)
      shower.see(exchange)
      unknown.see(exchange)
      coverage.see(exchange)
    },
  })

  /** A finding as reports show it. */
  function finding({ evidence, message, cites, ...found }: Found): Finding {
    return {
      ...found,
      message: shower.message(message),
      cites: withSource(cites),
      advice: rules.find(({ id }) => id === found.rule)?.advice ?? '',
      contract: 'pointer' in cites ? cites.pointer : pointerOf(found.operation),
      question: 'question' in cites ? cites.question : undefined,
      evidence: shower.evidence(evidence),
    }
  }

  /**
   * With the section of a fact, with the observation of what is no assumption any more, and without
   * secrets of the service.
   */
  function withSource(cites: Cites): Cites {
    if ('fact' in cites) return { ...cites, section: contract.sections.get(cites.fact) ?? '' }
    if ('own' in cites) return { own: { ...cites.own, says: shower.message(cites.own.says) } }
    if (!('question' in cites)) return cites
    const observed = contract.questions[cites.question]?.observed
    return observed ? { ...cites, observed: observationOf(observed) } : cites
  }

  /** Words that were seen, without secrets. */
  function shownWords(seen: Sighting['seen']): Sighting['seen'] {
    const entries = Object.entries(seen).map(([word, count]) => [shower.message(word), count])
    return Object.fromEntries(entries)
  }

  /** The place of an operation in the contract; empty if it has none of this id. */
  function pointerOf(operationId: string | undefined): string {
    const operation = contract.operations.find(({ id, isAlias }) => id === operationId && !isAlias)
    return operation?.declaration.pointer ?? ''
  }

  return {
    history: reader.history,
    takeLooks: reader.takeLooks,
    count: () => ({ requests, findings: reader.look().findings.length }),
    /** The findings that were not returned before, or only as less severe. */
    newFindings(): Finding[] {
      const keyOf = ({ id, severity }: Found) => `${id} ${severity}`
      const found = reader.look().findings.filter((one) => !reported.has(keyOf(one)))
      for (const one of found) reported.add(keyOf(one))
      return found.map(finding)
    },
    /** The result so far, or at the end of the history. */
    result({ wanted, inconclusive, ...run }: Run, when: ResultMoment = 'at the end'): Result {
      const summary = when === 'so far' ? reader.conclude() : reader.summary()
      const results = rules.map((rule) => ruleResult(rule, summary, { wanted, inconclusive }))
      return {
        ...(own !== undefined && { own }),
        ...run,
        requests,
        form: reader.form.learned,
        changedElsewhere: summary.changedElsewhere,
        forgotten: summary.forgotten,
        unknown: unknown.result(),
        startedAt: new Date(began).toISOString(),
        ms: Date.now() - began,
        url: `${base}/`,
        contract: contract.info,
        cases: results.reduce((sum, { cases }) => sum + cases, 0),
        rules: results,
        findings: summary.findings.map(finding),
        baselined: [],
        verdicts: summary.verdicts.map(({ seen, ...verdict }) => ({
          ...verdict,
          seen: seen && shower.message(seen),
        })),
        sightings: summary.sightings.map((sighting) => ({
          ...sighting,
          seen: shownWords(sighting.seen),
        })),
        coverage: coverage.result(),
        entriesWithoutCase: entriesWithoutCase(summary),
        signIn: signInCommands(base, other !== undefined),
      }
    },
  }
}

/** The entries of spec/behaviour that rules execute one by one: each must have a case. */
function executedEntries(): string[] {
  const invariants = Object.keys(behaviour.invariants).map((name) => `/invariants/${name}`)
  const copies = Object.entries<Copies[string]>(behaviour.copies).flatMap(([name, { from }]) =>
    from.map((_, index) => `/copies/${name}/from/${index}`),
  )
  return [...invariants, ...copies]
}

function entriesWithoutCase({ entries }: Summary): string[] {
  return executedEntries().filter((entry) => !entries.has(entry))
}

/** The names of the contract's fields, and the words of the rules. */
export function wordsOf({ operations }: Contract, rules: readonly Rule[]): ReadonlySet<string> {
  const words = new Set<string>()
  const document = JSON.stringify(operations[0]?.validator.document)
  for (const [, name = ''] of document.matchAll(/"(\w+)":/g)) words.add(name)
  for (const { says, advice } of rules)
    for (const word of `${says} ${advice}`.toLowerCase().split(/\W+/)) words.add(word)
  return words
}

function ruleResult(
  { id, says, advice }: Rule,
  { cases, findings, spentMs }: Summary,
  { wanted, inconclusive }: Pick<Run, 'wanted' | 'inconclusive'>,
): RuleResult {
  const { passed = 0, failed = 0 } = cases.get(id) ?? {}
  const count = passed + failed

  function statusOf(): RuleResult['status'] {
    if (findings.some(({ rule }) => rule === id)) return 'failed'
    if (inconclusive.includes(id)) return 'inconclusive'
    if (count > 0) return 'passed'
    return wanted.includes(id) ? 'inconclusive' : 'not-assessed'
  }

  return {
    rule: id,
    says,
    advice,
    subject: subjectOf(id),
    status: statusOf(),
    cases: count,
    ms: Math.round(spentMs.get(id) ?? 0),
  }
}

/** Counts what is not known of exchanges. */
function createUnknownCounts() {
  const counts = { ...NOTHING_UNKNOWN }
  return {
    see({ request, unknown }: Exchange): void {
      const { sent, shown, requestHeaders, responseHeaders, target, times } = unknown
      // A body that is nested too deeply was recorded.
      const isUnrecorded = request.unrecorded?.body !== undefined
      if (isUnrecorded && sent.includes('')) counts.requestBodies++
      counts.values += [...sent, ...shown].filter((pointer) => pointer !== '').length
      if (target) counts.values++
      if (requestHeaders) counts.headers++
      if (responseHeaders) counts.headers++
      if (times) counts.times++
    },
    result: (): UnknownCounts => ({ ...counts }),
  }
}

/** Counts the operations, statuses and media types that a history has shown. */
function createCoverage(contract: Contract, chosen?: readonly string[]) {
  const counted = contract.operations.filter(
    ({ id, isAlias }) => !isAlias && (chosen?.includes(id) ?? true),
  )
  const counts = new Map(counted.map(({ id }) => [id, { successes: 0, requests: 0 }]))
  const keyOf = (operation: string, status: string | number, mediaType: string) =>
    `${operation} ${status} ${mediaType}`
  const rows = new Map<string, Row & { seen: number }>()
  for (const row of counted.flatMap(rowsOf))
    rows.set(keyOf(row.operation, row.status, row.mediaType), { ...row, seen: 0 })

  return {
    see({ operation, response, outcome }: Exchange): void {
      const count = operation && counts.get(operation.id)
      if (!count || !response) return
      count.requests++
      if (outcome === 'accepted') count.successes++

      const row = rows.get(keyOf(operation.id, response.status, mediaTypeOf({ response })))
      if (row) row.seen++
    },
    result: (): Coverage => ({
      operations: [...counts].map(([operation, count]) => ({ operation, ...count })),
      rows: [...rows.values()],
    }),
  }
}

/** A declared response of an operation. */
interface Row {
  readonly operation: string
  readonly status: string
  /** Empty for a response without content. */
  readonly mediaType: string
}

function rowsOf({ id: operation, declaration, validator: { document } }: Operation): Row[] {
  const rows: Row[] = []
  const responses = fieldsOf(valueAt(document, `${declaration.pointer}/responses`))
  for (const [status, response] of Object.entries(responses)) {
    const mediaTypes = Object.keys(fieldsOf(resolveReference(document, response)?.content))
    if (mediaTypes.length === 0) rows.push({ operation, status, mediaType: '' })
    for (const mediaType of mediaTypes) rows.push({ operation, status, mediaType })
  }
  return rows
}

/** The first word of a rule's id, which names its page in the docs. */
export function subjectOf(rule: string): string {
  const [subject = rule] = rule.split('-', 1)
  return subject
}
