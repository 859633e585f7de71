import type { Cites } from './citation.ts'

/**
 * `critical`: money moves twice, an address inside the network is reached, or a race is lost. `high`: money
 * or access is at stake.
 */
export type Impact = 'critical' | 'high'

/** A difference that a rule observed. */
export interface Violation {
  readonly operation: string | undefined
  /** One sentence: what was expected, and what was observed. */
  readonly message: string
  /** JSON pointer into the contract; empty if there is no node to name. */
  readonly contract: string
  /**
   * The open question that the service differs from. Undefined: the node decides. Absent: the rule's `cites`
   * decides.
   */
  readonly question?: string | undefined
  /** Distinguishes violations at one node, by keyword or name. */
  readonly about?: string
  /** Overrides the rule's `cites`. */
  readonly cites?: Cites
  /** Overrides the rule's impact. */
  readonly impact?: Impact | undefined
}

/** The judgement of a response at one node: a violation, or a pass if there is no message. */
export type Judgement = Omit<Violation, 'message'> & { readonly message: string | undefined }
