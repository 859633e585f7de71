import type { Target } from '../send/guard.ts'
import type { Found, SEVERITIES } from './report.ts'

/**
 * A failure contradicts a fact. A deviation differs from an assumption, or from a standard that the contract
 * does not name.
 */
export type Kind = Found['kind']

/**
 * `critical`: another partner's record is reached, money moves twice, or the service fails. `error`: any other
 * failure. `warning`: a deviation that puts money or access at stake. `note`: any other deviation.
 */
export type Severity = (typeof SEVERITIES)[number]

/** What a finding rests on. */
export type Citation =
  /** A statement of the source document. */
  | { readonly fact: string; readonly section: string }
  /** A place of the contract without an open question. */
  | { readonly pointer: string }
  | { readonly question: string; readonly statement?: string | undefined }
  | { readonly standard: string }

/** A difference between the service and the contract. It is reported once, however many cases show it. */
export interface Finding {
  /** Stable from run to run: derived from the rule, the operation and the citation. */
  readonly id: string
  /** Id of the rule. */
  readonly rule: string
  /** OperationId; undefined if the finding concerns no single operation. */
  readonly operation: string | undefined
  readonly kind: Kind
  readonly severity: Severity
  readonly cites: Citation
  /** One sentence: what was expected, and what was observed. */
  readonly message: string
  /** One sentence: what to do. */
  readonly advice: string
  /** JSON pointer into the bundled contract (RFC 6901); empty if there is no node to name. */
  readonly contract: string
  /** The open question whose assumption the service differs from; undefined for a failure. */
  readonly question: string | undefined
  /** The first case that shows the finding. */
  readonly evidence: Evidence
  /** Number of cases that showed it. */
  readonly count: number
}

/** A finding that the baseline accepts. */
export interface BaselinedFinding extends Finding {
  /** Last day of acceptance: an RFC 3339 full-date, UTC. */
  readonly until: string
  /** The reason, from the baseline. */
  readonly why: string
}

/** An exchange or a delivery that shows a finding, with secrets masked. */
export interface Evidence {
  /**
   * A POSIX shell command that sends the request again. Its secrets are variables, which the commands in `signIn` of
   * the result set. Undefined if it cannot be sent alone: it contains a secret, or its body was truncated.
   */
  readonly curl: string | undefined
  readonly method: string
  readonly path: string
  /** Undefined if no response arrived. */
  readonly status: number | undefined
  /** Bodies are truncated to 2,000 characters, followed by their length. */
  readonly request: string
  readonly response: string
  readonly requestId: string | undefined
}

/** The outcome of a rule. One that is inconclusive or not assessed does not count as passed. */
export interface RuleResult {
  readonly rule: string
  /** What must hold, in one sentence. */
  readonly says: string
  readonly advice: string
  /** The first word of its id: `responses`, `access`, `lists`. */
  readonly subject: string
  /** `inconclusive`: requests were sent to get a case, and there was none. `not-assessed`: nothing was sent for it. */
  readonly status: 'passed' | 'failed' | 'inconclusive' | 'not-assessed'
  /** Cases that passed and failed. */
  readonly cases: number
}

/** What a run showed about an open question. */
export interface Verdict {
  readonly question: string
  /** The question and the contract's assumption. */
  readonly text: string
  readonly assumption: string
  readonly basis: string
  readonly verdict: 'confirmed' | 'contradicted' | 'not-exercised'
  /** What was observed, if the assumption was contradicted. */
  readonly seen: string | undefined
  /** Number of observations. */
  readonly exercised: number
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

/** The result of a run. */
export interface Result {
  /** `traffic` if recorded or watched traffic was judged and nothing was sent. */
  readonly target: Target | 'traffic'
  /** Base URL, without credentials. */
  readonly url: string
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
  readonly coverage: Coverage
  /** Why requests were not sent. */
  readonly notSent: readonly string[]
  /** Paths of records that the run created and could not remove. */
  readonly leftovers: readonly string[]
  /** Changes of records that no request of the history explains: somebody else writes to the service too. */
  readonly changedElsewhere: number
  /** Records and tokens that were forgotten, because there were too many. */
  readonly forgotten: number
  /**
   * POSIX shell commands, one per line, that set the variables of the commands in findings. They read CLIENT_KEY and
   * CLIENT_SECRET, and OTHER_KEY and OTHER_SECRET for a second partner.
   */
  readonly signIn: string
}
