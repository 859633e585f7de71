import type { Contract } from '../contract/contract.ts'
import type { ServiceForm } from '../form/service-form.ts'
import type { ShownBalances } from '../history.ts'
import type { Identities } from '../send/identities.ts'
import type { Receiver } from '../send/receiver.ts'
import type { ServiceClock } from '../send/sandbox.ts'
import type { Send } from '../send/sender.ts'
import type { AcceptedValues } from './accepted-values.ts'
import type { CodePayers } from './code-payers.ts'
import type { WrongPayments } from './wrong-payments.ts'

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
  readonly form: ServiceForm
  /** A text that no earlier request has, such as a tx_id. Default: 30 digits and capital letters. */
  uniqueText(length?: number): string
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
  readonly acceptedValues: AcceptedValues
  /** Chooses who pays codes: requests of `payer`. */
  readonly codePayers: CodePayers
  /** Payments that the service must refuse, and accepted. */
  readonly wrongPayments: WrongPayments
  /** Whether the run may repeat those, and pay in other wrong ways: only on a sandbox, where no real money is moved. */
  readonly mayPayWrongly: boolean
  /** Whether the run may look up people and their keys: only on a sandbox, where they are nobody. */
  readonly maySearch: boolean
  /** Whether the run may wait seconds for charges and tokens to expire. On a mock, none expires. */
  readonly mayWait: boolean
  /** Milliseconds for random cases. */
  readonly timeMs: number
  /**
   * Some lists and records did not show a write, which was so new that they may lag behind it. Waits
   * until they may lag no longer, and requests them again. A plan calls this before it ends records.
   */
  repeatLaggingReads(): Promise<void>
  /**
   * Does independent work for each item: at the same time if the service takes long to respond, and
   * otherwise one after the other. Returns the results in the order of the items.
   */
  sideBySide<Item, Result>(
    items: readonly Item[],
    work: (item: Item) => Promise<Result>,
  ): Promise<readonly Result[]>
  /**
   * Remembers whether the service accepted a valid request, such as `createTransfer (example 4)`, and else its
   * refusal. The result names those that it never accepts, since what builds on them was not tried.
   */
  noteValid(request: string, isAccepted: boolean, refusal?: Refusal): void
  /** Waits, unless the run is ended. */
  wait(ms: number): Promise<void>
  readonly signal: AbortSignal
}

/** What is known of a response that did not accept a valid request. */
export interface Refusal {
  /** 0 if no response arrived. */
  readonly status: number
  /** The fields of the request that the response names, such as `/amount/fine/modality`. */
  readonly fields: readonly string[]
}

/** A part of a run that sends requests. */
export interface Plan {
  readonly id: string
  /**
   * The ids of the rules that it wants a case of. One without a case after the run is inconclusive.
   */
  readonly wants: readonly string[]
  /**
   * When the plan runs at the same time as its neighbours with the same word. `waits`: if the clock
   * of the service cannot be moved, since the plan then mostly waits. `edits`: while responses take
   * long, since the plan reads no records that others change. Default: never.
   */
  readonly beside?: 'waits' | 'edits'
  run(context: PlanContext): Promise<void>
}
