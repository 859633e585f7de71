import type { OperationId } from './call.ts'
import type { Relay } from './sandbox.ts'
import type { Wrap } from './wrap.ts'

export type FaultKind =
  | 'response-shape'
  | 'status-headers'
  | 'request-validation'
  | 'over-rejection'
  | 'authorization'
  | 'state'
  | 'money'
  | 'deliveries'

/** How a fault changes the correct service. */
export interface Plant {
  /** Wraps the service. */
  readonly service?: Wrap
  /** Handles deliveries between the service and the receivers. */
  readonly relay?: Relay
}

/** One way in which a service is wrong. */
export interface Fault {
  readonly id: string
  readonly kind: FaultKind
  /** The operation where it shows; undefined if several are possible. */
  readonly operation?: OperationId
  /** Other operations that a finding may name, because the fault affects them too. */
  readonly elsewhere?: readonly OperationId[]
  /** The rules that may report it. One is enough. */
  readonly rule: readonly string[]
  /** One sentence: what the service does. */
  readonly describe: string
  readonly plant: Plant
}

/** Faults of one kind, by their ids. */
export type Faults = Readonly<Record<string, Omit<Fault, 'id' | 'kind'>>>
