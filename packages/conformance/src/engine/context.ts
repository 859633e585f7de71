import type { Behaviour } from '@partner-payments/spec/behaviour'
import type { RequestBuilder } from '../generate/request-builder.ts'
import type { Schemas } from '../generate/schema/index.ts'
import type { Contract } from '../model/contract.ts'
import type { Exchange, RequestIdentity } from '../model/exchange.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Target } from '../model/target.ts'
import type { Identities } from '../transport/identities.ts'
import type { Receiver } from '../transport/receiver.ts'
import type { Sender } from '../transport/sender.ts'
import type { ServiceClock } from '../transport/service-clock.ts'
import type { ProfileData } from './profile-data.ts'
import type { Violation } from './violation.ts'

/** What a rule receives. */
export interface Context {
  readonly contract: Contract
  /** The declared behaviour of the service; empty if the contract has none. */
  readonly behaviour: Behaviour
  readonly profile: ProfileData
  readonly target: Target
  readonly send: Sender['send']
  readonly builder: RequestBuilder
  /** Random numbers from 0 to 1, reproducible by seed. */
  readonly random: () => number
  /** Generates cases from schemas. */
  readonly schemas: Schemas
  readonly identities: Identities
  /** Receives deliveries; undefined if the service cannot reach one. */
  readonly receiver: Receiver | undefined
  readonly clock: ServiceClock
  /** Milliseconds for random cases. */
  readonly timeMs: number
  /** Waits. Throws `NotSent` if the run ends in the meantime. */
  pause(ms: number): Promise<void>
  /** Whether the run includes an operation. */
  isIncluded(view: OperationView): boolean
  /** Whether an operation may be sent to this target. If not, the reason is recorded. */
  canSend(view: OperationView): boolean
  /** Counts a passed case. */
  passed(): void
  /** Counts an accepted request whose value is at the boundary of a keyword. */
  keywordAccepted(contract: string, keyword: string, question: string | undefined): void
  /** Counts a refused request whose value breaks a keyword. */
  keywordRefused(contract: string, keyword: string, question: string | undefined): void
  /** Counts a followed link for the coverage. */
  linkFollowed(pointer: string): void
  /** Counts a failed case and reports the violation. */
  failed(exchange: Exchange, violation: Violation): void
  /** Counts an inconclusive case. Default reason: the valid request was refused or not sent. */
  inconclusive(reason?: string): void
  /** Records that a case belongs to another rule, since the service failed or did not respond. */
  skipped(exchange: Exchange): void
  /**
   * Counts a case: passed without a message, failed with one. It is inconclusive if there was no response, or
   * a 408 or 429; a case that should pass is also inconclusive after a 5xx. Returns whether there was no
   * message.
   */
  expect(exchange: Exchange, message: string | undefined, place?: Partial<Violation>): boolean
  /** Runs a function for each item, several at a time, until the run ends. */
  each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void>
  /** Computes a value once per run and shares it between rules. */
  learn<T>(name: string, find: () => Promise<T>): Promise<T>
  /** Signs in as a customer of the partner, if the API has a way to do so. */
  becomeCustomer(): Promise<void>
  /** Signs in again with every identity, for example after the clock moved past the expiry of tokens. */
  renewIdentities(): Promise<void>
  /** Sends a valid request and returns the exchange; undefined if it was refused or could not be built. */
  accepted(id: string, options?: AcceptedOptions): Promise<Exchange | undefined>
}

export interface AcceptedOptions {
  readonly identity?: RequestIdentity
  /** Fields to set in the built body, by pointer. */
  readonly set?: Readonly<Record<string, unknown>>
  /** Index of the example to start from. Default: 0. */
  readonly example?: number
}
