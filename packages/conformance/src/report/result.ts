import type { Learned } from '../form/service-form.ts'
import type { Target } from '../send/guard.ts'
import type { OwnService } from '../send/own-service.ts'
import type { Evidence } from './evidence.ts'
import type { Found, Verdict } from './report.ts'
import type { Sighting } from './sightings.ts'

/** The result of a run, which all reports show. `build-result.ts` builds it. */

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
  /**
   * Requests whose body was not recorded, or is nested too deeply or has a list of too many records,
   * and was not refused.
   */
  readonly requestBodies: number
  /**
   * Responses whose body was not recorded, cannot be decoded, is nested too deeply, or has a list of
   * more than 20,000 records.
   */
  readonly responseBodies: number
  /** Requests of a proxy whose path is not in its normal form, so that no operation is known. */
  readonly targets: number
  /** Values that were redacted. */
  readonly values: number
  /**
   * Fields that the contract does not name, beyond the first 2,000 of a body, or with a name of more
   * than 10,000 characters.
   */
  readonly fields: number
  /** Messages with headers that were redacted or not recorded. */
  readonly headers: number
  /** Exchanges with no time that can be read. */
  readonly times: number
  /** Entries of a recording that name no request. */
  readonly unreadable: number
  /**
   * Requests that the service did not respond to: a cache, the browser, a test, or nobody did. They may
   * have taken effect.
   */
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
  fields: 0,
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
  /** Records, tokens and one-time values that were forgotten, because there were too many. */
  readonly forgotten: number
  /** What of the traffic is not known. */
  readonly unknown: UnknownCounts
  /**
   * POSIX shell commands, one per line, that set the variables of the commands in findings. They
   * read CLIENT_KEY and CLIENT_SECRET, and OTHER_KEY and OTHER_SECRET for a second partner.
   */
  readonly signIn: string
}

/** Reads the first word of a rule's id, which names its page in the docs. */
export function readSubject(rule: string): string {
  const [subject = rule] = rule.split('-', 1)
  return subject
}
