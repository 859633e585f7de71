import { isDeepStrictEqual } from 'node:util'
import type { Contract } from '../../model/contract.ts'
import { below, isObject, nodeOf } from '../../model/document.ts'

/** Pointers of volatile fields, which change by themselves. */
export type VolatileFields = ReadonlySet<string>

/** Names of links, which are not data of the record. */
const LINK = /^_?links?$|^href$|^self$/i

/**
 * The first field of a record that two responses show with other values; undefined where they agree. A response may
 * leave out fields of the record, but not fields within one that it shows.
 */
export function differingField(
  { document: { root } }: Contract,
  [one, other]: readonly [unknown, unknown],
  {
    volatile = new Set(),
    but = [],
  }: { readonly volatile?: VolatileFields; readonly but?: readonly string[] } = {},
): string | undefined {
  const names = declaredNames(root)
  const ignored = new Set([...volatile, ...but])
  const [left, right] = [one, other].map((it) => nodeOf(contentOf(it, names, ignored)))
  const shared = Object.keys(left ?? {}).filter((name) => Object.hasOwn(right ?? {}, name))
  return shared.find((name) => !isDeepStrictEqual(left?.[name], right?.[name]))
}

/** A value without links and undeclared fields, which are not data of a record. */
export function declaredContent(contract: Contract, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((it) => declaredContent(contract, it))
  if (!isObject(value)) return value
  const names = declaredNames(contract.document.root)
  const own = Object.entries(value).filter(([name]) => names.has(name) && !LINK.test(name))
  return Object.fromEntries(own.map(([name, it]) => [name, declaredContent(contract, it)]))
}

/** The record without volatile fields, links and undeclared fields. */
function contentOf(value: unknown, names: ReadonlySet<string>, ignored: VolatileFields, at = ''): unknown {
  if (Array.isArray(value)) return value.map((it, i) => contentOf(it, names, ignored, below(at, i)))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, it]) => {
      const pointer = below(at, name)
      if (LINK.test(name) || [...ignored].some((end) => pointer.endsWith(end))) return []
      if (!names.has(name) && !isObject(it)) return []
      return [[name, contentOf(it, names, ignored, pointer)]]
    }),
  )
}

/** The pointers of the fields that differ between two values of one record. */
export function changedFields(one: unknown, other: unknown, at = ''): string[] {
  if (isDeepStrictEqual(one, other)) return []
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return [at]
  if (Array.isArray(one) && one.length !== nodeOf(other).length) return [at]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) => changedFields(nodeOf(one)[name], nodeOf(other)[name], below(at, name)))
}

const known = new WeakMap<object, ReadonlySet<string>>()

/** The names of all properties that the contract declares. */
function declaredNames(root: object): ReadonlySet<string> {
  const names = known.get(root) ?? new Set(propertiesIn(root))
  known.set(root, names)
  return names
}

function propertiesIn(node: unknown): string[] {
  return Object.entries(nodeOf(node)).flatMap(([key, it]) => [
    ...(key === 'properties' ? Object.keys(nodeOf(it)) : []),
    ...propertiesIn(it),
  ])
}
