import type { Contract } from '../contract/contract.ts'
import type { OwnForm } from '../form/own-form.ts'
import type { ShownBalances } from '../history.ts'
import type { Identities } from '../send/identities.ts'
import type { Receiver } from '../send/receiver.ts'
import type { ServiceClock } from '../send/sandbox.ts'
import type { Send } from '../send/sender.ts'
import type { FoundValues } from './found-values.ts'

/**
 * Values by operationId and by JSON pointer, into the body or to the name of a parameter of the
 * path.
 */
export type RequestValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** What a plan gets. It sends requests and judges nothing. */
export interface PlanContext {
  readonly send: Send
  readonly contract: Contract
  /** How the service writes what is assumed, as far as that is known. */
  readonly form: OwnForm
  /** A value that no earlier request has, such as a tx_id of 30 letters and digits. */
  fresh(length?: number): string
  /** A number from 0 up to 1. The same seed gives the same numbers. */
  random(): number
  /**
   * Whether an operation is checked in this run. A plan that goes through operations skips the
   * others.
   */
  isChosen(operation: string): boolean
  readonly identities: Identities
  readonly clock: ServiceClock
  /** Looks at the balances that a sandbox shows; undefined if the service shows none. */
  lookAtBalances(): Promise<ShownBalances | undefined>
  /** Undefined if no delivery can reach this machine. */
  readonly receiver: Receiver | undefined
  /** Values that the user sets for requests, by operationId and pointer. */
  readonly values: RequestValues
  /** Values that were accepted where those of an example were refused. */
  readonly found: FoundValues
  /** Whether the run may look for keys of its own, as on a sandbox, where nobody is looked up. */
  readonly maySearch: boolean
  /** Whether the run may wait seconds for what ends, which a mock does not know. */
  readonly mayWait: boolean
  /** Milliseconds for random cases. */
  readonly timeMs: number
  /**
   * Requests again the lists that differ from a write that was so new that they may lag behind it,
   * once they may no longer. A plan calls it before it ends the records that they show.
   */
  lookAgain(): Promise<void>
  /**
   * Does work that is independent of that for other items: side by side if the service takes long to
   * respond, and otherwise in order. Returns the results in order.
   */
  sideBySide<Item, Result>(
    items: readonly Item[],
    work: (item: Item) => Promise<Result>,
  ): Promise<readonly Result[]>
  /**
   * Remembers whether the service accepted a valid request. One of which it never accepts any is
   * named in the result, since what builds on it was not tried.
   */
  noteValid(request: string, isAccepted: boolean): void
  /** Waits, unless the run is ended. */
  wait(ms: number): Promise<void>
  readonly signal: AbortSignal
}

/** A part of a run that sends requests. */
export interface Plan {
  readonly id: string
  /**
   * The ids of the rules that it wants a case of. One without a case after the run is inconclusive.
   */
  readonly wants: readonly string[]
  /**
   * When it runs at the same time as the plans beside it of the same kind: `waits` where the clock of
   * the service cannot be moved, since it mostly waits then; `edits` while responses take long, since
   * it looks at no record. Default: never.
   */
  readonly beside?: 'waits' | 'edits'
  run(context: PlanContext): Promise<void>
}
