import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'

/** A node of YAML, whose characters are known. */
export type Ranged = Scalar & {
  readonly range: [number, number, number]
  readonly flow?: boolean
}

/** A key of a map with its value. */
export type Entry = Pair<Scalar, Ranged>

type YamlMap = YAMLMap<Scalar, Ranged>

/** A node of a document, with what holds it. */
export interface LocatedNode {
  readonly node: Ranged
  /** The key that it is the value of; undefined for an item of a list. */
  readonly pair: Entry | undefined
  /** The map of that key. */
  readonly map: YamlMap | undefined
  /**
   * How many steps of the path lead to the first node that is written in another place, by an alias
   * (`*name`) or a merge (`<<`). An edit of the node changes that other place too. Undefined if all
   * nodes of the path are written here.
   */
  readonly stepsToShared: number | undefined
}

/**
 * Finds the node at a path of keys and indexes, such as `['tags', '0']`; undefined if there is none.
 */
export function findNode(document: Document, path: readonly string[]): LocatedNode | undefined {
  let current: LocatedNode = {
    node: document.contents as Ranged,
    pair: undefined,
    map: undefined,
    stepsToShared: undefined,
  }
  for (const [index, step] of path.entries()) {
    const child = findChild(document, current.node, step)
    if (!child) return undefined

    const { isShared, ...node } = child
    const stepsToChild = isShared ? index + 1 : undefined
    // Only the first node of the path that is written elsewhere counts.
    current = { ...node, stepsToShared: current.stepsToShared ?? stepsToChild }
  }
  return current
}

/** A child, and whether it is written in another place, by an alias or a merge. */
type Child = Omit<LocatedNode, 'stepsToShared'> & { readonly isShared: boolean }

/**
 * Finds the value of a key, or an item of a list; undefined if there is none. A key of the map
 * itself overrides one that is merged into it (`<<`).
 */
function findChild(document: Document, node: unknown, step: string): Child | undefined {
  const holder = resolveAlias(document, node)
  if (isSeq<Ranged>(holder)) return findItem(document, holder, step)
  if (!isMap<Scalar, Ranged>(holder)) return undefined
  return findEntry(document, holder, step) ?? findMerged(document, holder, step)
}

/** Finds an item of a list by its index. */
function findItem(document: Document, list: YAMLSeq<Ranged>, index: string): Child | undefined {
  const item = list.items[Number(index)]
  if (!item) return undefined
  return {
    node: resolveAlias(document, item) as Ranged,
    pair: undefined,
    map: undefined,
    isShared: isAlias(item),
  }
}

/** Finds the value of a key that stands in the map itself, and not only in a map merged into it. */
function findEntry(document: Document, map: YamlMap, name: string): Child | undefined {
  const pair = map.items.find(({ key }) => isScalar(key) && String(key.value) === name)
  if (!pair) return undefined
  return {
    node: resolveAlias(document, pair.value) as Ranged,
    pair: pair as Entry,
    map,
    isShared: isAlias(pair.value),
  }
}

/** Finds the value of a key in the map that is merged into this one (`<<`). */
function findMerged(document: Document, map: YamlMap, name: string): Child | undefined {
  const merge = map.items.find(({ key }) => String(key.value) === '<<')
  const child = merge && findChild(document, merge.value, name)
  return child && { ...child, isShared: true }
}

/** The node for which an alias stands; any other node is returned as it is. */
function resolveAlias(document: Document, node: unknown): unknown {
  return isAlias(node) ? node.resolve(document) : node
}

/**
 * The alias (`*name`) that is the value of a key or an item of a list; undefined if a value is
 * written there. An alias has a range, since it was parsed, although its type does not say so.
 */
export function findAlias(holder: unknown, name: string): Ranged | undefined {
  const child = findOwnChild(holder, name)
  return isAlias(child) ? (child as unknown as Ranged) : undefined
}

/** What is written for a key or an index, which may be an alias. */
function findOwnChild(holder: unknown, name: string): unknown {
  if (isSeq(holder)) return holder.items[Number(name)]
  if (!isMap<Scalar>(holder)) return undefined
  return holder.items.find(({ key }) => String(key.value) === name)?.value
}
