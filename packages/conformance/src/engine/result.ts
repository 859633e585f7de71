import type { ContractFault } from '../model/contract.ts'
import type { Target } from '../model/target.ts'
import type { Citation } from './citation.ts'

/** A failure contradicts a fact of the contract; a deviation differs from an assumption. */
export type Kind = 'failure' | 'deviation'

/**
 * critical: money moves twice, an address inside a network is reached, or a race is lost, be it a failure or not. error:
 * another failure. warning: money or access is at stake. note: the rest.
 */
export type Severity = 'critical' | 'error' | 'warning' | 'note'

/** One thing in which the service and the contract differ. However many cases show it, it is one finding. */
export interface Finding {
  /** Stable from run to run: made of the rule, the operation and the place in the contract. */
  readonly id: string
  /** Id of the rule. */
  readonly rule: string
  /** The operationId; undefined where it is about all of them. */
  readonly operation: string | undefined
  readonly kind: Kind
  readonly severity: Severity
  /** What it rests on. */
  readonly cites: Citation
  /** One sentence: what was expected and what was seen. */
  readonly message: string
  /** One sentence: what to do. */
  readonly advice: string
  /** JSON pointer into the bundled contract (RFC 6901); empty where no place can be named. */
  readonly contract: string
  /** The open question whose answer was departed from; undefined where a fact is broken. */
  readonly question: string | undefined
  /** The smallest case that shows it. */
  readonly evidence: Evidence
  /** Cases that showed it. */
  readonly count: number
}

/** A finding that a baseline lets pass. */
export interface BaselinedFinding extends Finding {
  /** The last day on which it passes: an RFC 3339 full-date, UTC. */
  readonly until: string
  /** Why it may stay, as the baseline says. */
  readonly why: string
}

/** An exchange that shows a finding, without its secrets. */
export interface Evidence {
  /**
   * A command for a POSIX shell that shows the finding again; secrets are names of variables, which the commands of
   * `signIn` set. Undefined if one request cannot show it: it needs earlier records or deliveries, a token that no
   * command can get, or a body that was cut. `replay` with the id of the finding does.
   */
  readonly curl: string | undefined
  readonly method: string
  readonly path: string
  /** Undefined where no answer came. */
  readonly status: number | undefined
  /** Of the bodies, at most 2,000 characters and how many there are, secrets masked. */
  readonly request: string
  readonly response: string
  readonly requestId: string | undefined
}

/** What became of a rule. What does not apply is not assessed, and never held. */
export interface RuleResult {
  readonly rule: string
  /** One sentence: what it asks of a service. */
  readonly title: string
  readonly phase: string
  /** The open question that the rule itself is about, where it is an answer of the contract. */
  readonly question: string | undefined
  readonly status: 'passed' | 'failed' | 'not-assessed'
  /** True where no service could have it assessed: it was not asked for, or the contract lacks what it needs. */
  readonly isOutside?: true
  /** Why it was not assessed. */
  readonly reason: string | undefined
  /** Cases that were tried, the masked ones among them. */
  readonly cases: number
  /**
   * Cases that could not be judged: the service refused their accepted twin too, gave no answer or put it off, showed
   * but a part of a list, or must not be sent it.
   */
  readonly inconclusive: number
  /** For what they were masked, the most frequent first: at most twenty kinds of refusals. Absent where nothing was. */
  readonly inconclusiveBy?: readonly InconclusiveReason[]
  readonly ms: number
}

/** A refusal for which cases were masked. */
export interface InconclusiveReason {
  /** What was refused; undefined where it was not sent, or means no operation. */
  readonly operation: string | undefined
  /** Undefined where it was not sent, or nothing came. */
  readonly status: number | undefined
  /** The `code` of the refusal, where it has one. */
  readonly code: string | undefined
  readonly count: number
}

/** What a run showed about a question that the source document leaves open. */
export interface Verdict {
  readonly question: string
  /** The question and the assumption of the contract, in words. */
  readonly text: string
  readonly assumption: string
  readonly basis: 'standard' | 'assumed' | 'open'
  readonly verdict: 'confirmed' | 'contradicted' | 'not-exercised'
  /** What was seen, where it was contradicted. */
  readonly seen: string | undefined
  /** Messages that bore on it. */
  readonly exercised: number
  /** The rules whose cases bore on it, `response-schema` for the form of answers. */
  readonly by: readonly string[]
}

/** How much of the contract was seen. */
export interface Coverage {
  readonly operations: readonly {
    readonly operation: string
    readonly successes: number
    readonly requests: number
  }[]
  readonly rows: readonly {
    readonly operation: string
    readonly status: string
    readonly mediaType: string
    readonly seen: number
  }[]
  /** Keywords of request schemas: how many valid values were accepted, how many invalid ones refused. */
  readonly keywords: readonly {
    readonly contract: string
    readonly keyword: string
    readonly accepted: number
    readonly refused: number
  }[]
  /** Fields of response schemas. */
  readonly fields: readonly { readonly contract: string; readonly seen: number }[]
  readonly links: readonly { readonly contract: string; readonly followed: number }[]
}

/** What a run found. */
export interface Result {
  /** `traffic` where nothing was sent, and what others sent was judged. */
  readonly target: Target | 'traffic'
  /** Without credentials. */
  readonly url: string
  readonly contract: { readonly title: string; readonly version: string }
  /** Errors of the contract itself. What they affect was not checked. Absent if there are none. */
  readonly contractFaults?: readonly ContractFault[]
  /**
   * Why the run ended early, in words, such as `Ctrl-C`: what was not reached is not assessed. Absent where it came to its
   * end.
   */
  readonly interrupted?: string
  readonly seed: number
  readonly shard: string | undefined
  /** RFC 3339. */
  readonly startedAt: string
  readonly ms: number
  readonly requests: number
  readonly cases: number
  readonly rules: readonly RuleResult[]
  /** Failures first. */
  readonly findings: readonly Finding[]
  /** Known ones, which a baseline lets pass until its day. */
  readonly baselined: readonly BaselinedFinding[]
  readonly verdicts: readonly Verdict[]
  readonly coverage: Coverage
  /** Paths of what the run created and could not remove; absent for traffic of others. */
  readonly leftovers?: readonly string[]
  /**
   * Commands for a POSIX shell, one per line, that set the variables that the commands of findings use. They need
   * CLIENT_KEY and CLIENT_SECRET, and OTHER_KEY and OTHER_SECRET for a second partner. Absent if nobody signs in.
   */
  readonly signIn?: string
}
