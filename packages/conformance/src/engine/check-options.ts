import type { Target } from '../model/target.ts'
import type { Access } from '../transport/credentials.ts'
import type { Transport } from '../transport/transport.ts'

/** Options of `check`. */
export interface CheckOptions {
  /** Base URL of the service. */
  readonly url: string
  /** A changed copy of the contract, bundled. Default: the partner payments contract. */
  readonly contract?: object
  /** Default: `live`. A live service is paid nothing, and only records that the run created are changed. */
  readonly target?: Target
  /** Default: none. */
  readonly credentials?: Access
  /** Credentials of a second partner, who must not see the records of the first. */
  readonly other?: Access
  /** Seed of the generated cases. Default: 1. */
  readonly seed?: number
  /** Milliseconds for random cases. Default: 1,000. */
  readonly timeMs?: number
  /** Ids of rules, or phases. Default: all. */
  readonly only?: readonly string[]
  /** OperationIds. Default: all. */
  readonly operations?: readonly string[]
  /** Runs part `i` of `n` of the rules, for parallel jobs; `i` starts at 1. */
  readonly shard?: { readonly i: number; readonly n: number }
  /** Allows transfers on a live service, each up to `maxAmount`, a string such as `1.00`. */
  readonly allowPayments?: { readonly maxAmount: string }
  /** Values for requests, by operationId and JSON pointer. They override the examples of the contract. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Milliseconds to wait for an expected delivery. Default: 8,000. */
  readonly deliveryWithinMs?: number
  /** Milliseconds within which a response is expected; a slower one is a deviation. Default: not checked. */
  readonly responseWithinMs?: number
  /** Maximum requests per second. Default: 10 for a live service, otherwise unlimited. */
  readonly rate?: number
  /** URL at which the service reaches this machine with deliveries. A local sandbox needs none. */
  readonly receiverUrl?: string
  /** The local port that `receiverUrl` leads to. Default: the port in that URL. */
  readonly receiverPort?: number
  /** Sends the requests, instead of HTTP to `url`: for example, to a service in the same process. */
  readonly transport?: Transport
  /** Ends the run early. Records of the run are still removed. */
  readonly signal?: AbortSignal
  /** Called when the service has responded, before the first rule runs. */
  readonly onReached?: () => void
  /** Called after each rule and every second. If it throws, the run ends with its findings so far. */
  readonly onProgress?: (progress: Progress) => void
}

/** The progress of a run. */
export interface Progress {
  readonly phase: string
  /** The rule that just ended; undefined on the updates every second. */
  readonly rule: string | undefined
  /** Number of the current phase, from 1. */
  readonly phaseNumber: number
  readonly phases: number
  /** Rules done, of all `rules` that send requests. Rules that judge every response are not counted. */
  readonly tried: number
  readonly rules: number
  readonly requests: number
  readonly cases: number
  readonly findings: number
}
