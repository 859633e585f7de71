import type { KeyObject } from 'node:crypto'
import type { FailureLimit } from './operation/failure-limit.ts'
import type { RateLimit } from './operation/rate-limit.ts'
import type { Random } from './random.ts'
import type { Store } from './store/store.ts'

/** What handlers work with: the state, the time, the dice, and what they may not decide themselves. */
export interface Context {
  readonly store: Store
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly random: Random
  /** 32 bytes that seal initiation ids; the same for every instance on one state. */
  readonly sealingKey: KeyObject
  /** Milliseconds between a transfer and its settlement. */
  readonly settleAfterMs: number
  /** Why deliveries cannot go to a URL; undefined where they can. */
  readonly checkTarget: (url: string) => Promise<{ readonly detail: string } | undefined>
  /** Tells that something became due. */
  readonly poke: () => void
  readonly limits: {
    /** Of failed sign-ins: by source and client key together, by source, by client key. */
    readonly signIns: FailureLimit
    readonly lookUps: RateLimit
  }
}
