import type { BehaviourFiles } from './behaviour/read.ts'
import type { Facts } from './facts.ts'
import type { YamlFile } from './files.ts'
import type { Node } from './marks.ts'
import type { Register } from './register.ts'

/** Reports where a bundled contract breaks a rule. */
export type Rule = (input: RuleInput) => Iterable<Fault>

export interface RuleInput {
  readonly contract: Node
  /** `guide` is the contract of the short paths. */
  readonly root: 'openapi' | 'guide'
  /** The other one of the two contracts. */
  readonly other: Node
  /** The folder of the contract. */
  readonly spec: string
  readonly facts: YamlFile<Facts>
  readonly register: YamlFile<Register>
  readonly behaviour: BehaviourFiles
}

export interface Fault {
  /** What is wrong, what was expected, and what to do. */
  readonly message: string
  /** A JSON pointer into the bundle, or into `file`. */
  readonly at: string
  /** A file of the folder of the contract. */
  readonly file?: string
}
