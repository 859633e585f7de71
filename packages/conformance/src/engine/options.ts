import type { Access } from '../transport/credentials.ts'
import type { Wire } from '../transport/transport.ts'
import type { Target } from './result.ts'

/** What a run is told. */
export interface CheckOptions {
  /** Base URL of the service. */
  readonly url: string
  /** A bundled OpenAPI 3.1 document. Default: the partner payments contract. */
  readonly contract?: object
  /** Default: live, of which nothing is changed but what the run itself made, and nothing is paid. */
  readonly target?: Target
  /** Default: none, for a service that asks for none. */
  readonly credentials?: Access
  /** Another partner, whose records are not the first one's. */
  readonly other?: Access
  /** Whether a departure from an answer of the contract counts as a failure. Default: false. */
  readonly strict?: boolean
  /** Default: 1. */
  readonly seed?: number
  /** Milliseconds for random cases. Default: 1,000. */
  readonly timeMs?: number
  /** Ids of laws, or phases; all by default. */
  readonly only?: readonly string[]
  /** OperationIds; all by default. */
  readonly operations?: readonly string[]
  /** Part `i` of `n`: laws are dealt out among runs. */
  readonly shard?: { readonly i: number; readonly n: number }
  /** Whether transfers may be sent to a live service, and the most that one may move: `1.00`. */
  readonly allowPayments?: { readonly maxAmount: string }
  /** Values by operation and pointer that go before the examples of the contract. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Milliseconds to wait for a delivery that has to come. Default: 8,000. */
  readonly deliveryWithinMs?: number
  /** Milliseconds that an answer may take; one that takes longer is a discovery. Default: not looked at. */
  readonly answerWithinMs?: number
  /** Requests a second at most. Default: unlimited; 10 for a live service. */
  readonly rate?: number
  /** How the service reaches the receiver of deliveries on this machine; a sandbox reaches it by itself. */
  readonly receiverUrl?: string
  /** The port that `receiverUrl` leads to on this machine. Default: the one that it names itself. */
  readonly receiverPort?: number
  /** How requests leave, instead of over HTTP to `url`: for a service in this very process. */
  readonly wire?: Wire
  /** Ends the run early; what it made is removed all the same. */
  readonly signal?: AbortSignal
  /** Told that the service was reached, before a law is tried. */
  readonly onReached?: () => void
  /** Told of the run's progress. Where it throws, the run ends with what it found. */
  readonly onProgress?: (progress: Progress) => void
}

/** How far a run is; told after each law, and every second. */
export interface Progress {
  readonly phase: string
  /** The law that was just tried; undefined where a second has passed. */
  readonly law: string | undefined
  /** Which of how many phases it is, from 1. */
  readonly phaseNumber: number
  readonly phases: number
  /** Laws that were tried, and how many there are to try: those of every answer are judged besides. */
  readonly tried: number
  readonly laws: number
  readonly requests: number
  readonly cases: number
  readonly findings: number
}
