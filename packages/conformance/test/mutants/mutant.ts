import type { OperationId } from '../faulty/call.ts'
import type { OwnPlant } from '../faulty/plant.ts'
import type { Stage } from './stage.ts'

/** A realistic bug, written without reading the rules of the checker. It names no rule. */
export interface Mutant extends OwnPlant {
  readonly id: string
  /** One sentence: what the service does. */
  readonly describe: string
  /** The operation that a finding must name; all deliveries count as one. */
  readonly operation: OperationId | 'deliveries'
  /** Other operations that a finding may name. */
  readonly also?: readonly OperationId[]
  /** What a good finding reports, for the person who reviews it. */
  readonly expects: string
  /** SQL statements that create triggers. */
  readonly state?: readonly string[]
  /**
   * Shows that the bug exists, if no rule names it: the result differs from that of the correct service.
   */
  readonly shows?: (stage: Stage) => Promise<unknown>
}

/** Mutants by id. */
export type Mutants = Readonly<Record<string, Omit<Mutant, 'id'>>>

/** The mutants of some tables, each with its id. */
export function listed(...tables: readonly Mutants[]): Mutant[] {
  return tables.flatMap((table) => Object.entries(table).map(([id, mutant]) => ({ id, ...mutant })))
}
