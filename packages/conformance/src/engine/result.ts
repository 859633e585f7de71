import type { Contract, ContractFault } from '../model/contract.ts'
import type { Target } from '../model/target.ts'
import type { Citation } from './citation.ts'

/**
 * A failure contradicts a fact. A deviation differs from an assumption, or from a standard that the contract
 * does not name.
 */
export type Kind = 'failure' | 'deviation'

/**
 * `critical`: money moves twice, an address inside the network is reached, or a race is lost. `error`: any
 * other failure. `warning`: a deviation that puts money or access at stake. `note`: any other deviation.
 */
export const SEVERITIES = ['critical', 'error', 'warning', 'note'] as const
export type Severity = (typeof SEVERITIES)[number]

/** A difference between the service and the contract. It is reported once, however many cases show it. */
export interface Finding {
  /** Stable from run to run: derived from the rule, the operation and the node of the contract. */
  readonly id: string
  /** Id of the rule. */
  readonly rule: string
  /** OperationId; undefined if the finding concerns all operations. */
  readonly operation: string | undefined
  readonly kind: Kind
  readonly severity: Severity
  /** The fact, open question or standard that the finding rests on. */
  readonly cites: Citation
  /** One sentence: what was expected, and what was observed. */
  readonly message: string
  /** One sentence: what to do. */
  readonly advice: string
  /** JSON pointer into the bundled contract (RFC 6901); empty if there is no node to name. */
  readonly contract: string
  /** The open question whose assumption the service differs from; undefined for a failure. */
  readonly question: string | undefined
  /** The smallest case that shows the finding. */
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

/** An exchange that shows a finding, with secrets masked. */
export interface Evidence {
  /**
   * A POSIX shell command that shows the finding again. Its secrets are variables, which the commands in
   * `signIn` set. Undefined if one request cannot show it: it needs earlier records or deliveries, a token
   * that no command can get, or a body that was truncated. Run `check` with the rule and the operation of the finding then.
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

/** The outcome of a rule. A rule that had nothing to judge is not assessed, and does not count as passed. */
export interface RuleResult {
  readonly rule: string
  /** One sentence: what the rule requires. */
  readonly title: string
  readonly phase: string
  /** The open question that the rule verifies; undefined if it verifies facts. */
  readonly question: string | undefined
  readonly status: 'passed' | 'failed' | 'not-assessed'
  /**
   * True if the run could not assess the rule on any service: it was not selected, or the contract lacks what
   * it needs.
   */
  readonly isOutside?: true
  /** Why the rule was not assessed. */
  readonly reason: string | undefined
  /** All cases, including inconclusive ones. */
  readonly cases: number
  /**
   * Cases that could not be judged: for example, the valid request was refused too, no response arrived, or
   * the request must not be sent.
   */
  readonly inconclusive: number
  /** Reasons, the most frequent first, at most 20. Absent if there are none. */
  readonly inconclusiveBy?: readonly InconclusiveReason[]
  readonly ms: number
}

/** A refusal that made cases inconclusive. */
export interface InconclusiveReason {
  /** The refused operation; undefined if the request was not sent or matches no operation. */
  readonly operation: string | undefined
  /** Undefined if the request was not sent, or no response arrived. */
  readonly status: number | undefined
  /** The `code` of the problem details, if there is one. */
  readonly code: string | undefined
  readonly count: number
}

/** What a run showed about an open question. */
export interface Verdict {
  readonly question: string
  /** The question and the contract's assumption. */
  readonly text: string
  readonly assumption: string
  readonly basis: 'standard' | 'assumed' | 'open'
  readonly verdict: 'confirmed' | 'contradicted' | 'not-exercised'
  /** What was observed, if the assumption was contradicted. */
  readonly seen: string | undefined
  /** Number of observations. */
  readonly exercised: number
  /** Rules that made observations; `response-schema` stands for the schemas of responses. */
  readonly by: readonly string[]
}

/** How much of the contract was observed. */
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
  /** Keywords of request schemas, with the number of accepted valid values and refused invalid values. */
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

/** The result of a run. */
export interface Result {
  /** `traffic` if recorded or watched traffic was judged and nothing was sent. */
  readonly target: Target | 'traffic'
  /** Base URL, without credentials. */
  readonly url: string
  readonly contract: { readonly title: string; readonly version: string }
  /** Errors of the contract itself. What they affect was not checked. Absent if there are none. */
  readonly contractFaults?: readonly ContractFault[]
  /**
   * Why the run ended early, such as `Ctrl-C`; rules that had not run are not assessed. Absent if it
   * completed.
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
  /** The most severe first. */
  readonly findings: readonly Finding[]
  /** Findings that the baseline accepts. */
  readonly baselined: readonly BaselinedFinding[]
  readonly verdicts: readonly Verdict[]
  readonly coverage: Coverage
  /** Paths of records that the run created and could not remove. Absent for traffic. */
  readonly leftovers?: readonly string[]
  /**
   * POSIX shell commands, one per line, that set the variables of the commands in findings. They read
   * CLIENT_KEY and CLIENT_SECRET, and OTHER_KEY and OTHER_SECRET for a second partner. Absent if the
   * contract needs no key.
   */
  readonly signIn?: string
}

/** The fields of a result about its contract. */
export function contractFields({
  title,
  version,
  faults,
}: Contract): Pick<Result, 'contract' | 'contractFaults'> {
  return { contract: { title, version }, ...(faults.length > 0 && { contractFaults: [...faults] }) }
}
