import type { DeclaredQuestion } from '../contract/contract.ts'
import type { RecordedDelivery } from '../history.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Seen, Sighting } from './sightings.ts'

/**
 * What rules report, and what becomes of it: cases, findings and verdicts. `collect-cases.ts` collects
 * them.
 */

/** The exchange or the delivery that shows a case. */
export type Evidence = Exchange | RecordedDelivery

/** A citation of what spec/behaviour declares. */
interface Declared {
  /** The entry of spec/behaviour that says so, such as `/invariants/final-amount`. */
  readonly entry?: string | undefined
}

/**
 * What a case or a finding rests on. A fact makes a failure; an open question, a standard or the
 * service itself makes a deviation.
 */
export type Cites =
  /** A statement of the source document; a finding names its section. */
  | ({ readonly fact: string; readonly section?: string } & Declared)
  /** A node of the contract without an open question. */
  | { readonly pointer: string }
  | ({
      readonly question: string
      readonly statement?: string | undefined
      /** Where and when it was observed, if it is no assumption any more. Of findings alone. */
      readonly observed?: string
    } & Declared)
  | { readonly standard: string }
  | ({ readonly own: EarlierResponse } & Declared)

/**
 * What the service itself showed or refused. What contradicts it is critical, since such a rule is
 * about money or access, and the service cannot mean both.
 */
export interface EarlierResponse {
  readonly operation: string | undefined
  /** The `x-request-id` of the response. */
  readonly requestId: string | undefined
  /** What it showed or refused, such as `checkCode refused the code`. */
  readonly says: string
}

/** The most severe first. */
export const SEVERITIES = ['critical', 'error', 'warning', 'note'] as const

/**
 * `critical`: another partner's record is reached, money moves twice, the service fails, or it
 * contradicts itself about money or access.
 * `error`: any other failure. `warning`: a deviation that puts money or access at stake. `note`:
 * any other deviation.
 */
export type Severity = (typeof SEVERITIES)[number]

/**
 * A failure contradicts a fact. A deviation differs from an assumption, from a standard that the
 * contract does not name, or from what the service itself showed or refused.
 */
export type Kind = 'failure' | 'deviation'

/** What a rule reports: cases that passed and cases that failed. */
export interface Report {
  /**
   * A case that passed if it holds, and failed otherwise. The sentence says what was seen and what
   * was expected. It is built for a failed case only.
   */
  expect(holds: boolean, about: Case, sentence: () => string): void
  /** @param value A value of an enumeration that was accepted. */
  passed(event: Evidence, cites: Cites, value?: string): void
  failed(event: Evidence, cites: Cites, message: string, at?: At): void
  /** Notes what was seen of an open question. It is no case. */
  saw(seen: Seen): void
  /** A record changed without a request of the history, which only a complete history excludes. */
  changedElsewhere(): void
}

/** What a failed case is about, if that does not follow from its event and its citation. */
export interface At {
  /** The operation that the finding names. Default: that of the event. */
  readonly operation?: string | undefined
  /** Whether the finding concerns no single operation, so that it names none. Default: false. */
  readonly isOfAll?: true
  /** The keyword of the contract that was broken: a JSON pointer (RFC 6901) into the bundle. */
  readonly keyword?: string
  /** Distinguishes findings of one rule at one operation, such as by the name of a field. */
  readonly about?: string
  /** What is at stake: `critical` is another partner's record, or money that moves twice. */
  readonly impact?: 'critical' | 'high'
  /**
   * Whether a read may differ because it lags behind a write that is so new. Then it is no failed
   * case yet: a later look decides. If there is none, a list was not current, for whatever reason.
   * Default: false.
   */
  readonly mayLag?: boolean
}

/** What shows a case, what the case rests on, and what is at stake if it failed. */
export interface Case extends At {
  readonly evidence: Evidence
  readonly cites: Cites
}

/**
 * A difference between the service and the contract. It is reported once, however many cases show
 * it, with the severity, message and evidence of the most severe one.
 */
export interface Found {
  /** Stable from run to run: derived from the rule, the operation and the citation. */
  readonly id: string
  /** Id of the rule. */
  readonly rule: string
  /** OperationId; undefined if it concerns no single operation. */
  readonly operation: string | undefined
  readonly kind: Kind
  readonly severity: Severity
  readonly cites: Cites
  /** The keyword of the contract that was broken, if the finding is about one. */
  readonly keyword?: string
  /** One sentence: what was expected, and what was observed. */
  readonly message: string
  /** The first of the most severe cases that show it. */
  readonly evidence: Evidence
  /** Number of cases that showed it. */
  readonly count: number
}

/** What a history showed about an open question. */
export interface Verdict {
  readonly question: string
  /** The question and the contract's assumption. */
  readonly text: string
  readonly assumption: string
  /** `standard`, `assumed`, `open` or `observed`. */
  readonly basis: string
  /** Where and when it was observed; undefined for an assumption. */
  readonly observed?: string
  readonly verdict: 'confirmed' | 'partly-confirmed' | 'contradicted' | 'not-exercised'
  /** What was observed, if the assumption was contradicted. */
  readonly seen: string | undefined
  /** Number of cases that were aimed at it. */
  readonly exercised: number
  /** The same by its statements, and by the rules that had the cases. */
  readonly statements: readonly StatementCases[]
  /** The statements and values that were not seen, so that it cannot be confirmed as a whole. */
  readonly unsettled: readonly string[]
  /** The values of enumerations that were seen, of a question about values. */
  readonly values: readonly string[]
}

/** The cases that one rule had of a statement of an open question. */
export interface StatementCases {
  /** Empty for a question without statements. */
  readonly statement: string
  readonly rule: string
  readonly passed: number
  readonly failed: number
}

/** What all rules have reported. */
export interface Summary {
  /** The most severe first. */
  readonly findings: readonly Found[]
  /** One for each open question of the contract. */
  readonly verdicts: readonly Verdict[]
  /** Cases by rule. */
  readonly cases: ReadonlyMap<string, { readonly passed: number; readonly failed: number }>
  /** What was seen of open questions. */
  readonly sightings: readonly Sighting[]
  /** Cases by entry of spec/behaviour, such as `/invariants/final-amount`. */
  readonly entries: ReadonlyMap<string, number>
  readonly changedElsewhere: number
  /** Records, tokens and one-time values that were forgotten, because there were too many. */
  readonly forgotten: number
  /** Milliseconds that each rule took. */
  readonly spentMs: ReadonlyMap<string, number>
}

/** A look at what may lag behind a write, and what is wrong with it if it does not. */
export interface Look {
  /** Id of the rule. */
  readonly rule: string
  readonly look: Exchange
  readonly message: string
}

/** Builds the name of a statement of a question, such as `paging/order`. */
export function buildStatementName({
  question,
  statement = '',
}: Extract<Cites, { question: string }>): string {
  return `${question}/${statement}`
}

/** Says where and when a service showed what the contract says. */
export function describeObservation({
  service,
  date,
}: NonNullable<DeclaredQuestion['observed']>): string {
  return `at ${service} on ${date}`
}
