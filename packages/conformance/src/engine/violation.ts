import type { Cites } from './citation.ts'

/** `critical`: money moves twice, an address inside a network is reached, or a race is lost. `high`: money or access is at stake. */
export type Impact = 'critical' | 'high'

/** What a rule saw to be broken. */
export interface Violation {
  readonly operation: string | undefined
  /** One sentence: what was expected and what was seen. */
  readonly message: string
  /** JSON pointer into the contract; empty where no place can be named. */
  readonly contract: string
  /** The open question that this departs from. Undefined: the place in the contract decides. Absent: what the rule cites. */
  readonly question?: string | undefined
  /** Tells apart what is at one place: a keyword, a name. */
  readonly about?: string
  /** What it rests on, where that is neither what the rule cites nor a question. */
  readonly cites?: Cites
  /** Default: that of the rule. */
  readonly impact?: Impact | undefined
}

/** What a rule of every answer says of one place: a finding, or without a message that it passed. */
export type Judgement = Omit<Violation, 'message'> & { readonly message: string | undefined }
