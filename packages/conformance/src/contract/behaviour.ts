import { pointerOf } from '@partner-payments/contract'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import declared from '@partner-payments/spec/behaviour.json' with { type: 'json' }

/**
 * What the service does beyond the shape of one message. A changed copy of the contract declares
 * the same. In a file of its own, since the declarations of a tarball cannot contain the type of a
 * JSON file.
 */
export const behaviour = declared as typeof declared & Required<Behaviour>

export type Invariant = NonNullable<Behaviour['invariants']>[string]

/** The pointer of each declaration in behaviour.json. */
const places = new Map<unknown, string>(placesIn(declared, ''))

/** The pointer of a declaration in behaviour.json, such as `/invariants/final-amount`. */
export function placeOf(declaration: object): string | undefined {
  return places.get(declaration)
}

function placesIn(value: unknown, at: string): [unknown, string][] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([name, child]) =>
    placesIn(child, pointerOf(at, name)),
  )
  return [[value, at], ...inside]
}
