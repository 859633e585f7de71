import type { Target } from '../model/target.ts'
import type { Access } from '../transport/credentials.ts'
import type { Transport } from '../transport/transport.ts'

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
  /** Default: 1. */
  readonly seed?: number
  /** Milliseconds for random cases. Default: 1,000. */
  readonly timeMs?: number
  /** Ids of rules, or phases; all by default. */
  readonly only?: readonly string[]
  /** OperationIds; all by default. */
  readonly operations?: readonly string[]
  /** Part `i` of `n`: rules are dealt out among runs. */
  readonly shard?: { readonly i: number; readonly n: number }
  /** Whether transfers may be sent to a live service, and the most that one may move: `1.00`. */
  readonly allowPayments?: { readonly maxAmount: string }
  /** Values by operation and pointer that go before the examples of the contract. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Milliseconds to wait for a delivery that has to come. Default: 8,000. */
  readonly deliveryWithinMs?: number
  /** Milliseconds that an answer may take; one that takes longer is a deviation. Default: not looked at. */
  readonly responseWithinMs?: number
  /** Requests a second at most. Default: unlimited; 10 for a live service. */
  readonly rate?: number
  /** How the service reaches the receiver of deliveries on this machine; a sandbox reaches it by itself. */
  readonly receiverUrl?: string
  /** The port that `receiverUrl` leads to on this machine. Default: the one that it names itself. */
  readonly receiverPort?: number
  /** How requests leave, instead of over HTTP to `url`: for a service in this very process. */
  readonly transport?: Transport
  /** Ends the run early; what it made is removed all the same. */
  readonly signal?: AbortSignal
  /** Told that the service was reached, before a rule is tried. */
  readonly onReached?: () => void
  /** Told of the run's progress. Where it throws, the run ends with what it found. */
  readonly onProgress?: (progress: Progress) => void
}

/** How far a run is; told after each rule, and every second. */
export interface Progress {
  readonly phase: string
  /** The rule that was just tried; undefined where a second has passed. */
  readonly rule: string | undefined
  /** Which of how many phases it is, from 1. */
  readonly phaseNumber: number
  readonly phases: number
  /** Rules that were tried, and how many there are to try: those of every answer are judged besides. */
  readonly tried: number
  readonly rules: number
  readonly requests: number
  readonly cases: number
  readonly findings: number
}
