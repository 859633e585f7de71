import type { Replacement } from './edit.ts'
import { isObject, type Json, propertyOf } from './json.ts'
import { nearMisses } from './near-values.ts'
import { UNKNOWN_NAME } from './parts.ts'
import type { Site } from './sites.ts'
import { objectOfSize } from './sized-values.ts'
import type { ValidValues } from './valid-values.ts'

export function withoutRequired(names: readonly string[], { value }: Site): Replacement[] {
  const present = isObject(value) ? names.filter((name) => Object.hasOwn(value, name)) : []
  return present.map((property) => ({ property, value: undefined, note: 'left out' }))
}

export function unknownProperty(object: Json): Replacement[] {
  if (!isObject(object)) return []
  const property = UNKNOWN_NAME
  return ['a', null, 1, {}, []].map((value) => ({ property, value, note: 'an unknown property' }))
}

export function tooFewProperties(least: number, { value }: Site): Replacement[] {
  if (!isObject(value) || least < 1) return []
  const entries = Object.entries(value)
  const lists = [entries.slice(0, least - 1), entries.toReversed().slice(0, least - 1)]
  return lists.map((it) => ({
    value: Object.fromEntries(it),
    note: 'an object with one property too few',
  }))
}

export function tooManyProperties(most: number, site: Site, valid: ValidValues): Replacement[] {
  const value = objectOfSize(site, most + 1, valid)
  return value ? [{ value, note: `an object with ${most + 1} properties` }] : []
}

/** Sets the discriminator to an unknown value. */
export function unknownTag(said: Json, { value }: Site): Replacement[] {
  const property = propertyOf(said, 'propertyName')
  const own = typeof property === 'string' ? propertyOf(value, property) : undefined
  if (typeof property !== 'string' || typeof own !== 'string') return []
  return nearMisses([own], own).map((to) => ({ ...to, property }))
}
