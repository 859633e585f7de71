import type { OperationId } from '../services/call.ts'
import type { OwnPlant } from '../services/plant.ts'

/** A realistic bug, written without reading the rules of the checker. It names no rule. */
export interface Mutant extends OwnPlant {
  readonly id: string
  /** One sentence: what the service does. */
  readonly describe: string
  /** The operation that a finding must name; all deliveries count as one. */
  readonly operation: OperationId | 'deliveries'
  /** Other operations that a finding may name. */
  readonly also?: readonly OperationId[]
  /** SQL statements that create triggers. */
  readonly state?: readonly string[]
}

/** Mutants by id. */
export type Mutants = Readonly<Record<string, Omit<Mutant, 'id'>>>
