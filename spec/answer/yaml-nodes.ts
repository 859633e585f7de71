import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml'

/** A node of YAML, whose characters are known. */
export type Ranged = Scalar & {
  readonly range: [number, number, number]
  readonly flow?: boolean
}

/** A key of a map with its value. */
export type Entry = Pair<Scalar, Ranged>

/** A node of a document, with what holds it. */
export interface Found {
  readonly node: Ranged
  /** The key that it is the value of; undefined for an item of a list. */
  readonly pair: Entry | undefined
  /** The map of that key. */
  readonly map: YAMLMap<Scalar, Ranged> | undefined
  /** How many steps lead to the first node that stands elsewhere too; undefined if none does. */
  readonly sharedAt: number | undefined
}

/** The node that keys and indexes lead to; undefined if there is none. */
export function findNode(document: Document, path: readonly string[]): Found | undefined {
  let found: Found = {
    node: document.contents as Ranged,
    pair: undefined,
    map: undefined,
    sharedAt: undefined,
  }
  for (const [i, step] of path.entries()) {
    const child = childOf(document, found.node, step)
    if (!child) return undefined

    const { isShared, ...next } = child
    found = { ...next, sharedAt: found.sharedAt ?? (isShared ? i + 1 : undefined) }
  }
  return found
}

/** A child with whether it stands elsewhere too, by an alias or a merge. */
type Child = Omit<Found, 'sharedAt'> & { readonly isShared: boolean }

/** The value of a key or an item. An own key comes before a merged one. */
function childOf(document: Document, node: unknown, step: string): Child | undefined {
  const holder = isAlias(node) ? node.resolve(document) : node

  if (isSeq<Ranged>(holder)) {
    const item = holder.items[Number(step)]
    if (!item) return undefined
    return {
      node: targetOf(document, item),
      pair: undefined,
      map: undefined,
      isShared: isAlias(item),
    }
  }

  if (!isMap<Scalar, Ranged>(holder)) return undefined

  const pair = holder.items.find(({ key }) => isScalar(key) && String(key.value) === step)
  if (pair) {
    return {
      node: targetOf(document, pair.value),
      pair: pair as Entry,
      map: holder,
      isShared: isAlias(pair.value),
    }
  }

  const merged = holder.items.find(({ key }) => String(key.value) === '<<')
  const found = merged && childOf(document, merged.value, step)
  return found && { ...found, isShared: true }
}

/** What an alias stands for, which is edited in its place. */
function targetOf(document: Document, node: unknown): Ranged {
  return (isAlias(node) ? node.resolve(document) : node) as Ranged
}

/** The alias that stands for a field or an item; undefined if the value itself does, or none. */
export function aliasIn(holder: unknown, name: string): Ranged | undefined {
  if (isSeq(holder)) {
    const item = holder.items[Number(name)]
    return isAlias(item) ? (item as unknown as Ranged) : undefined
  }

  if (!isMap<Scalar>(holder)) return undefined
  const value = holder.items.find(({ key }) => String(key.value) === name)?.value
  return isAlias(value) ? (value as unknown as Ranged) : undefined
}
