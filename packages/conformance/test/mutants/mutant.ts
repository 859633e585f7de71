import type { OperationId } from '../faulty/call.ts'
import type { Relay } from '../faulty/world.ts'
import type { Wrap } from '../faulty/wrap.ts'
import type { Stage } from './stage.ts'

/** A bug that a team could ship. The checker's rules were not read for it, and it names none of them. */
export interface Mutant {
  readonly id: string
  /** One sentence: what the service does. */
  readonly describe: string
  /** Where a finding has to name it; every delivery counts as one place. */
  readonly operation: OperationId | 'deliveries'
  /** Other steps of the same life, where a finding names it as well. */
  readonly also?: readonly OperationId[]
  /** What a good finding says, for the person who judges whether it names the bug. */
  readonly expects: string
  /** Stands before the service. */
  readonly service?: Wrap
  /** Stands between the service and the receivers of its deliveries. */
  readonly relay?: Relay
  /** Statements that make the state wrong by itself: triggers. */
  readonly state?: readonly string[]
  /** Shows that it is there: its result differs from that of the right service. */
  readonly shows: (stage: Stage) => Promise<unknown>
}

/** Mutants by their ids. */
export type Mutants = Readonly<Record<string, Omit<Mutant, 'id'>>>
