import type { OperationId } from './call.ts'
import type { Relay } from './world.ts'
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

/** What makes a copy of the right service another. */
export interface Plant {
  /** Stands before the service. */
  readonly service?: Wrap
  /** Stands between the service and the receivers of its deliveries. */
  readonly relay?: Relay
}

/** One way in which a service is wrong. */
export interface Fault {
  readonly id: string
  readonly kind: FaultKind
  /** Where it shows; undefined where it does with any of several. */
  readonly operation?: OperationId
  /** Where a finding may put it besides: the other steps of a life that it spoils. */
  readonly elsewhere?: readonly OperationId[]
  /** The rules that may name it; one of them is enough. */
  readonly rule: readonly string[]
  /** One sentence: what the service does. */
  readonly describe: string
  readonly plant: Plant
}

/** Faults of one kind, by their ids. */
export type Faults = Readonly<Record<string, Omit<Fault, 'id' | 'kind'>>>
