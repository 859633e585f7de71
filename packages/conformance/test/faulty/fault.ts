import type { OperationId } from './call.ts'
import type { OwnPlant, Plant } from './plant.ts'

export type FaultKind =
  | 'response-shape'
  | 'status-headers'
  | 'request-validation'
  | 'over-rejection'
  | 'authorization'
  | 'state'
  | 'money'
  | 'deliveries'

/** A row in a table of faults. */
interface FaultRow extends OwnPlant {
  /** The operation where it shows; undefined if several are possible. */
  readonly operation?: OperationId | undefined
  /** Other operations that a finding may name, because the fault affects them too. */
  readonly elsewhere?: readonly OperationId[] | undefined
  /** The rules that may report it. One is enough. */
  readonly rule: readonly string[]
  /** One sentence: what the service does. */
  readonly describe: string
}

/** One way in which a service is wrong. */
export interface Fault extends Omit<FaultRow, keyof OwnPlant> {
  readonly id: string
  readonly kind: FaultKind
  readonly plant: Plant
}

/** Faults of one kind, by their ids. */
export type Faults = Readonly<Record<string, FaultRow>>
