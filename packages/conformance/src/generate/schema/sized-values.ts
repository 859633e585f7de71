import { itemPlaces, memberPlaces } from './choices.ts'
import { isObject, isSame, type Json, nameOf } from './json.ts'
import { LONGEST, ofLength } from './pattern-strings.ts'
import { readPattern } from './pattern.ts'
import { type Site, saidBy } from './sites.ts'
import type { Valid } from './valid-values.ts'

/** Items and members that are made, at most. */
const MOST = 10_000

/** Texts of a length in characters: by the patterns, the text that is there drawn out or cut, one that differs. */
export function textsOfLength({ value, parts }: Site, length: number): string[] {
  if (length < 0 || length > LONGEST || typeof value !== 'string') return []
  const matching = saidBy(parts, 'pattern').flatMap(([pattern]) => {
    const read = readPattern(String(pattern))
    return (read && ofLength(read, length)) ?? []
  })
  const own = [...value]
  const missing = Math.max(0, length - own.length)
  const drawnOut = [own.at(-1) ?? 'a', 'a'].map((it) =>
    [...own, ...it.repeat(missing)].slice(0, length).join(''),
  )
  const before = `${'a'.repeat(missing)}${own.slice(0, length).join('')}`
  return [...new Set([...matching, ...drawnOut, before, ...['a', 'é', '😀'].map((it) => it.repeat(length))])]
}

/** A list of so many items: those that are there, then others of their kind; undefined where there are not so many. */
export function listOf(site: Site, length: number, isUnique: boolean, valid: Valid): Json[] | undefined {
  if (length > MOST || !Array.isArray(site.value)) return undefined
  const items = (site.value as readonly Json[]).slice(0, length)
  const wanted = length - items.length
  const places = itemPlaces(site.parts, items.length)
  const others = isUnique
    ? unlike(items, valid.some(places, length * 2))
    : alike(items, places, wanted, valid)
  const all = [...items, ...others.slice(0, wanted)]
  return all.length === length ? all : undefined
}

function unlike(items: readonly Json[], found: readonly Json[]): Json[] {
  return found.filter((it) => !items.some((item) => isSame(item, it)))
}

function alike(items: readonly Json[], places: Site['places'], count: number, valid: Valid): Json[] {
  const item = items[0] ?? valid.some(places, 1)[0]
  return item === undefined ? [] : Array.from({ length: count }, () => item)
}

/** An object of so many members: those that are there, then others that nobody mentions. */
export function objectOfSize({ value, parts }: Site, size: number, valid: Valid): Json | undefined {
  if (!isObject(value) || size > MOST) return undefined
  const names = Array.from({ length: Math.max(0, size - Object.keys(value).length) }, (_, i) => nameOf(i))
  const members = names.map((name) => [name, valid.one(memberPlaces(parts, name), { example: true }) ?? 'a'])
  return { ...value, ...Object.fromEntries(members) }
}
