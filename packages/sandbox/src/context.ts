import type { KeyObject } from 'node:crypto'
import type { FailureLimit, RateLimit } from './operation/limits.ts'
import type { Random } from './random.ts'
import type { Store } from './store/store.ts'

/** The state, the clock, random bytes and the settings. */
export interface Context {
  readonly store: Store
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly random: Random
  /**
   * 32 bytes that seal initiation ids and cursors. All instances that share a state use the same
   * key.
   */
  readonly sealingKey: KeyObject
  /** Milliseconds between a transfer and its settlement. */
  readonly settleAfterMs: number
  readonly maxWebhooks: number
  /** Explains why deliveries cannot go to a URL, or returns undefined if they can. */
  readonly checkTarget: (url: string) => Promise<{ readonly detail: string } | undefined>
  /** Tells the worker that something became due. */
  readonly wakeWorker: () => void
  readonly limits: {
    /** Limits failed sign-ins by source and client key together, by source, and by client key. */
    readonly signIns: FailureLimit
    readonly lookUps: RateLimit
  }
}

/** The context of a request with a token: it reads the store, and writes with `writeWithToken`. */
export interface HandlerContext extends Omit<Context, 'store'> {
  readonly store: Pick<Store, 'read' | 'backend' | 'skipLocked' | 'time'>
}
