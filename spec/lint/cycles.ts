import { stepsOf } from '@partner-payments/contract'
import type { Located } from './places.ts'
import { isWithin, listReferences, type Reference, toLocated } from './references.ts'

/** Cycles of references: whatever follows them never ends. Each is reported where it closes. */
export function cycleFaults(spec: string): Located[] {
  // The schemas that a discriminator names (`mapping`) may have the discriminator.
  const references = listReferences(spec).filter(({ at }) => at.endsWith('/$ref'))
  return findCycles(references).map((cycle) => {
    const { from, at } = cycle.last
    return toLocated(spec, from, at, describeCycle(cycle))
  })
}

/** References by which a node leads to itself: the last one has the node as its target. */
interface Cycle {
  readonly others: readonly Reference[]
  readonly last: Reference
}

/** Finds each cycle once. */
function findCycles(references: readonly Reference[]): Cycle[] {
  const cycles: Cycle[] = []
  const followed = new Set<string>()
  // A node that nothing refers to is on no cycle.
  for (const reference of references) follow(reference, [])
  return cycles

  /** @param path The references that lead to this one, each to a node that has the next one. */
  function follow(reference: Reference, path: readonly Reference[]): void {
    const target = keyOfTarget(reference)
    const start = path.findIndex((earlier) => keyOfTarget(earlier) === target)
    if (start >= 0) {
      cycles.push({ others: path.slice(start + 1), last: reference })
      return
    }

    if (followed.has(target)) return
    for (const next of references)
      if (isInTarget(next, reference)) follow(next, [...path, reference])
    followed.add(target)
  }
}

function keyOfTarget({ file, pointer }: Reference): string {
  return `${file}#${pointer}`
}

function isInTarget(reference: Reference, { file, pointer }: Reference): boolean {
  return reference.from === file && isWithin(reference.at, pointer)
}

/** The message about a cycle, such as `A refers to itself by way of B, so that …`. */
function describeCycle({ others, last }: Cycle): string {
  const name = readTargetName(last)
  const way = others.length > 0 ? ` by way of ${others.map(readTargetName).join(' and ')}` : ''

  const references = [...others, last]
  const isOfSameValue = references.every(({ at }, index) => {
    // Each stands in the target of the one before it, and the first in that of the last.
    const { pointer } = references.at(index - 1) ?? last
    return SAME_VALUE.test(at.slice(pointer.length))
  })
  return isOfSameValue
    ? `${name} refers to itself${way}, so that nothing says what it is; refer to another one, or remove the reference.`
    : `${name} contains itself${way}, and what lists all fields would never end; write a fixed number of levels.`
}

/** The steps from a schema to a reference about the same value, and not a field or an item of it: `/allOf/0/$ref`. */
const SAME_VALUE = /^(\/(allOf|oneOf|anyOf)\/\d+|\/(not|if|then|else))*\/\$ref$/

/** The name of the target: `KeyCheck` of `schemas/keys.yaml#/KeyCheck`. */
function readTargetName({ pointer }: Reference): string {
  return stepsOf(pointer).at(-1) ?? ''
}
