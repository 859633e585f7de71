import type { Behaviour } from '@partner-payments/spec/behaviour'
import type { RequestBuilder } from '../generate/request-builder.ts'
import type { Schemas } from '../generate/schema/index.ts'
import type { Contract } from '../model/contract.ts'
import type { Exchange, Input, RequestIdentity } from '../model/exchange.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Target } from '../model/target.ts'
import type { Identities } from '../transport/identities.ts'
import type { Receiver } from '../transport/receiver.ts'
import type { Sender } from '../transport/sender.ts'
import type { ServiceClock } from '../transport/service-clock.ts'
import type { ProfileData } from './profile-data.ts'
import type { Violation } from './violation.ts'

/** What a rule works with. */
export interface Context {
  readonly contract: Contract
  /** What the service does beyond one request; empty where nothing is declared. */
  readonly behaviour: Behaviour
  readonly profile: ProfileData
  readonly target: Target
  readonly send: Sender['send']
  readonly builder: RequestBuilder
  /** Random numbers from 0 to 1, the same for the same seed. */
  readonly random: () => number
  /** Cases made of schemas. */
  readonly schemas: Schemas
  /** Who requests can be sent as. */
  readonly identities: Identities
  /** Receives deliveries; undefined where the service cannot reach one. */
  readonly receiver: Receiver | undefined
  /** The clock of the service. */
  readonly clock: ServiceClock
  /** Milliseconds for random cases. */
  readonly timeMs: number
  /** Waits so many milliseconds. Throws `NotSent` where the run ends meanwhile: what follows is not sent either. */
  pause(ms: number): Promise<void>
  /** Whether the run is about an operation. */
  isAsked(view: OperationView): boolean
  /** Whether an operation may be sent to this target. */
  canSend(view: OperationView): boolean
  /** One more case, which held. */
  passed(): void
  /** A keyword of a request was met at its edge, and the request accepted. */
  keywordAccepted(contract: string, keyword: string, question: string | undefined): void
  /** A keyword of a request was broken, and the request refused. */
  keywordRefused(contract: string, keyword: string, question: string | undefined): void
  /** A link of the contract was followed. */
  linkFollowed(pointer: string): void
  /** One more case, which did not. */
  failed(exchange: Exchange, violation: Violation): void
  /** One more case, which cannot be judged: what it rests on was refused too or not sent, if nothing else is said. */
  inconclusive(reason?: string): void
  /** A case that is another rule's business: its answer was a failure of the service. */
  skipped(exchange: Exchange): void
  /**
   * Holds a case to its rule: without a message it held. What was not answered, or put off, is masked, and what failed
   * never held: rules of every answer tell it.
   */
  expect(exchange: Exchange, message: string | undefined, place?: Partial<Violation>): boolean
  /** Runs a work for each item, several at a time; stops when the time of the run is up. */
  each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void>
  /** What the service was seen to do, found out once in a run: other rules wait for the same result. */
  learn<T>(name: string, find: () => Promise<T>): Promise<T>
  /** Signs in as somebody on whose behalf the partner acts, where the API has a way to. */
  becomeCustomer(): Promise<void>
  /** Signs in anew as everyone, after the clock was moved beyond the life of their tokens. */
  renewIdentities(): Promise<void>
  /** A success of an operation, its input made for it; undefined where the service refused it. */
  accepted(id: string, options?: AcceptedOptions): Promise<Exchange | undefined>
}

export interface AcceptedOptions {
  readonly identity?: RequestIdentity
  /** Members to be set after the input was made, by their pointers. */
  readonly set?: Readonly<Record<string, unknown>>
  readonly input?: Input
  /** Which of the examples it begins with. Default: the first. */
  readonly example?: number
}
