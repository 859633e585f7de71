import type { Contract } from '../contract/contract.ts'
import type { Send } from '../send/sender.ts'

/** What a plan gets. It sends requests and judges nothing. */
export interface PlanContext {
  readonly send: Send
  readonly contract: Contract
  /** A value that no earlier request has, such as a tx_id of 30 letters and digits. */
  fresh(length?: number): string
}

/** A part of a run that sends requests. */
export interface Plan {
  readonly id: string
  /** What it sends, in one sentence. */
  readonly says: string
  /** The rules that it wants a case of. One without a case after the run is inconclusive. */
  readonly wants: readonly string[]
  run(context: PlanContext): Promise<void>
}
