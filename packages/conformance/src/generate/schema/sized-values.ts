import { isObject, type Json } from './json.ts'
import { generatedName, itemPlaces, keywordValues, propertyPlaces } from './parts.ts'
import { readPattern } from './pattern.ts'
import { MAX_LENGTH, stringOfLength } from './pattern-strings.ts'
import type { Site } from './sites.ts'
import type { ValidValues } from './valid-values.ts'

/** Larger lists and objects are not generated. */
const MAX_SIZE = 10_000

/** Strings of a length: matches of the patterns, the current value padded or cut, and different characters. */
export function stringsOfLength({ value, parts }: Site, length: number): string[] {
  if (length < 0 || length > MAX_LENGTH || typeof value !== 'string') return []
  const matching = keywordValues(parts, 'pattern').flatMap(([pattern]) => {
    const read = readPattern(String(pattern))
    return (read && stringOfLength(read, length)) ?? []
  })
  const own = [...value]
  const missing = Math.max(0, length - own.length)
  const drawnOut = [own.at(-1) ?? 'a', 'a'].map((it) =>
    [...own, ...it.repeat(missing)].slice(0, length).join(''),
  )
  const before = `${'a'.repeat(missing)}${own.slice(0, length).join('')}`
  return [...new Set([...matching, ...drawnOut, before, ...['a', 'é', '😀'].map((it) => it.repeat(length))])]
}

/** A list of a length: its items, then similar ones; undefined if there are too few. */
export function listOf(site: Site, length: number, valid: ValidValues): Json[] | undefined {
  if (length > MAX_SIZE || !Array.isArray(site.value)) return undefined
  const items = (site.value as readonly Json[]).slice(0, length)
  const item = items[0] ?? valid.some(itemPlaces(site.parts), 1)[0]
  const wanted = length - items.length
  if (wanted === 0 || item === undefined) return wanted === 0 ? items : undefined
  return [...items, ...Array.from({ length: wanted }, () => item)]
}

/** An object with a number of properties: its own, then undeclared ones. */
export function objectOfSize({ value, parts }: Site, size: number, valid: ValidValues): Json | undefined {
  if (!isObject(value) || size > MAX_SIZE) return undefined
  const names = Array.from({ length: Math.max(0, size - Object.keys(value).length) }, (_, i) =>
    generatedName(i),
  )
  const properties = names.map((name) => [name, valid.one(propertyPlaces(parts, name)) ?? 'a'])
  return { ...value, ...Object.fromEntries(properties) }
}
