import { isNode } from '../lint/marks.ts'
import { escaped, valueAt } from '../lint/pointer.ts'
import type { Contract } from './check.ts'
import { follow, itemAt, memberOf, type Place, readFrom } from './source-files.ts'

/** Maps the JSON pointer (RFC 6901) of each bundle node to its source `file:line`, relative to the folder of the contract. */
export type Sources = Readonly<Record<string, string>>

interface Visit {
  readonly pointer: string
  readonly value: unknown
  readonly place: Place
}

/**
 * Finds the source of each bundle node by walking the bundle and its source files in parallel. A node that the bundler
 * added, such as the object of all schemas, has the line of its parent.
 *
 * @throws An error with file and line if a file cannot be read or a reference cannot be resolved.
 *
 * @example
 * sourcesOf(contract, SPEC)['/components/schemas/KeyCheck'] // 'schemas/keys.yaml:7'
 */
export function sourcesOf(contract: Contract, spec: string): Sources {
  const sources: Record<string, string> = {}
  const root: Visit = { pointer: '', value: contract, place: readFrom(spec, 'openapi.yaml') }
  // The source of a component is the target of its references, so referrers are visited before `components`.
  const [holder, rest] = split(childrenOf(root), ({ pointer }) => pointer === '/components')
  for (const queue of [rest, holder, [root]]) {
    for (const visit of queue) {
      if (visit.pointer in sources) continue
      const seen = { ...visit, place: isReference(visit.value) ? visit.place : inlined(visit.place) }
      sources[seen.pointer] = `${seen.place.file.name}:${seen.place.line}`
      // The queue grows during iteration.
      queue.push(...childrenOf(seen), ...targetOf(seen, contract))
    }
  }
  return sources
}

function split<T>(all: readonly T[], test: (it: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((it) => !test(it))]
}

/** The bundler replaced the reference by its target. */
function inlined(place: Place): Place {
  const target = follow(place)
  return target ? inlined(target) : place
}

function childrenOf({ pointer, value, place }: Visit): Visit[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([step, child]) => ({
    pointer: `${pointer}/${escaped(step)}`,
    value: child,
    place: (Array.isArray(value) ? itemAt(place, Number(step)) : memberOf(place, step)) ?? place,
  }))
}

/** The component that a bundle node refers to, and the target of the file's own reference. */
function targetOf({ value, place }: Visit, contract: Contract): Visit[] {
  const target = isReference(value) && follow(place)
  if (!target) return []
  const pointer = value.$ref.slice(1)
  return [{ pointer, value: valueAt(contract, pointer), place: target }]
}

function isReference(value: unknown): value is { readonly $ref: `#/${string}` } {
  return isNode(value) && typeof value.$ref === 'string' && value.$ref.startsWith('#/')
}
