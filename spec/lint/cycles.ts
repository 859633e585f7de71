import { stepsOf, valueAt } from '@partner-payments/contract'
import { readYaml } from './files.ts'
import { isNode } from './marks.ts'
import { pointerBelow } from './operations.ts'

/** A node of a file, by its pointer. */
export interface NodePlace {
  readonly file: string
  readonly pointer: string
}

/** A reference in a node. */
interface Link {
  readonly from: string
  /** The pointer of the reference in its file. */
  readonly at: string
  readonly target: NodePlace
  /** Whether it is about a property or an item of the value, and not about the value itself. */
  readonly isInside: boolean
}

/** References by which a node leads to itself. */
export interface Cycle {
  /** The reference that closes the cycle. */
  readonly last: Pick<Link, 'from' | 'at'>
  /** The names of the nodes on it, from the first one to itself. */
  readonly names: readonly string[]
  /** Whether it leads through a property or an item: then it ends with the value. */
  readonly isInside: boolean
}

/** Keywords whose schemas apply to the same value as the schema around them: a list of them, or one. */
const LISTS = ['allOf', 'oneOf', 'anyOf']
const SINGLE = ['not', 'if', 'then', 'else']
/** Keywords whose schemas apply to what is inside of the value: one of them, or one for each name. */
const SINGLE_INSIDE = ['items', 'additionalProperties']
const MAPS_INSIDE = ['properties']

/**
 * Finds the nodes that lead to themselves, by `$ref` or by the schemas in them, each cycle once.
 *
 * @param places Where to begin.
 * @param readTarget Reads the file and the pointer of a `$ref` in a file.
 */
export function findCycles(
  spec: string,
  places: Iterable<NodePlace>,
  readTarget: (from: string, ref: string) => NodePlace,
): Cycle[] {
  const cycles: Cycle[] = []
  const done = new Set<string>()
  for (const place of places) visit(place, [])
  return cycles

  /** @param path The references that lead to this node. */
  function visit(place: NodePlace, path: readonly Link[]): void {
    if (done.has(keyOf(place))) return

    const node = valueAt(readYaml<unknown>(spec, place.file).value, place.pointer)
    for (const link of listLinks(node, place.file, place.pointer, false)) {
      const longerPath = [...path, link]
      // Where the path was at the target before: it has come from there by the links after that.
      const begin = path.findIndex(({ target }) => keyOf(target) === keyOf(link.target))
      const isOfThisNode = keyOf(place) === keyOf(link.target)
      if (isOfThisNode) addCycle([link])
      else if (begin >= 0) addCycle(longerPath.slice(begin + 1))
      else visit(link.target, longerPath)
    }
    done.add(keyOf(place))
  }

  function addCycle(links: readonly Link[]): void {
    const last = links.at(-1)
    if (!last) return
    const names = [last, ...links].map(({ target }) => nameOf(target))
    cycles.push({ last, names, isInside: links.some(({ isInside }) => isInside) })
  }

  /** Lists the references in a node, whether they are about its value or about what is inside of that. */
  function* listLinks(node: unknown, from: string, at: string, isInside: boolean): Generator<Link> {
    if (!isNode(node)) return
    const { $ref } = node
    if (typeof $ref === 'string')
      yield { from, at: pointerBelow(at, '$ref'), target: readTarget(from, $ref), isInside }

    for (const keyword of LISTS) {
      const schemas = node[keyword]
      if (!Array.isArray(schemas)) continue
      for (const [index, schema] of schemas.entries())
        yield* listLinks(schema, from, pointerBelow(at, keyword, index), isInside)
    }
    for (const keyword of SINGLE)
      yield* listLinks(node[keyword], from, pointerBelow(at, keyword), isInside)
    for (const keyword of SINGLE_INSIDE)
      yield* listLinks(node[keyword], from, pointerBelow(at, keyword), true)
    for (const keyword of MAPS_INSIDE) {
      const schemas = node[keyword]
      if (!isNode(schemas)) continue
      for (const [name, schema] of Object.entries(schemas))
        yield* listLinks(schema, from, pointerBelow(at, keyword, name), true)
    }
  }
}

function keyOf({ file, pointer }: NodePlace): string {
  return `${file}#${pointer}`
}

/** The name of a node: `KeyCheck` of `schemas/keys.yaml#/KeyCheck`. */
function nameOf({ pointer }: NodePlace): string {
  return stepsOf(pointer).at(-1) ?? ''
}
