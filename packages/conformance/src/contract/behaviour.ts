import { pointerOf } from '@partner-payments/contract'
import type { Behaviour, List } from '@partner-payments/spec/behaviour'
import declared from '@partner-payments/spec/behaviour.json' with { type: 'json' }

/**
 * What the service does beyond the shape of one message. A changed copy of the contract declares
 * the same. In a file of its own, since the declarations of a tarball cannot contain the type of a
 * JSON file.
 */
export const behaviour = declared as typeof declared & Required<Behaviour>

export type Invariant = NonNullable<Behaviour['invariants']>[string]

/** Finds what is declared of the list that a request reads; undefined if it reads none. */
export function findDeclaredList({
  operation,
}: {
  readonly operation: { readonly id: string } | undefined
}): List | undefined {
  return operation && behaviour.lists[operation.id]
}

/** The pointer of each declaration in behaviour.json. */
const pointers = new Map<unknown, string>(listPointers(declared, ''))

/** Finds the pointer of a declaration in behaviour.json, such as `/invariants/final-amount`. */
export function findEntryPointer(declaration: object): string | undefined {
  return pointers.get(declaration)
}

/** Lists a value and all objects and arrays inside it, with their pointers: `[[{ sum }, '/invariants/total'], …]`. */
function listPointers(value: unknown, at: string): [value: unknown, pointer: string][] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([name, child]) =>
    listPointers(child, pointerOf(at, name)),
  )
  return [[value, at], ...inside]
}
