import { UNKNOWN_NAME, unknownNameFor } from './choices.ts'
import { type Edit, edit } from './edit.ts'
import { isObject, type Json, propertyOf } from './json.ts'
import { nearMisses } from './near-values.ts'
import { child, type Place } from './place.ts'
import type { Site } from './sites.ts'
import { objectOfSize } from './sized-values.ts'
import type { ValidValues } from './valid-values.ts'

export function withoutRequired(names: readonly string[], part: Place, site: Site): Edit[] {
  const { value } = site
  const present = isObject(value) ? names.filter((name) => Object.hasOwn(value, name)) : []
  return present.map((property) =>
    edit(site, part, 'required', { property, value: undefined, note: 'left out' }),
  )
}

export function unknownProperty(site: Site, part: Place, keyword: string): Edit[] {
  if (!isObject(site.value)) return []
  const values: readonly Json[] = ['a', null, 1, {}, []]
  return values.map((value) =>
    edit(site, part, keyword, { property: unknownNameFor(site.parts), value, note: 'an unknown property' }),
  )
}

export function tooFewProperties(least: number, part: Place, site: Site): Edit[] {
  if (!isObject(site.value) || least < 1) return []
  const entries = Object.entries(site.value)
  const lists = [entries.slice(0, least - 1), entries.toReversed().slice(0, least - 1)]
  return lists.map((it) =>
    edit(site, part, 'minProperties', {
      value: Object.fromEntries(it),
      note: 'an object with one property too few',
    }),
  )
}

export function tooManyProperties(most: number, part: Place, site: Site, valid: ValidValues): Edit[] {
  const value = objectOfSize(site, most + 1, valid)
  return value
    ? [edit(site, part, 'maxProperties', { value, note: `an object with ${most + 1} properties` })]
    : []
}

/** Adds a property, and leaves out one that it requires. */
export function withoutDependents(said: Json, part: Place, site: Site, valid: ValidValues): Edit[] {
  const value = site.value
  if (!isObject(value)) return []
  return Object.entries(said as Record<string, string[]>).flatMap(([name, needed]) =>
    needed.map((missing) => {
      const { [missing]: _, ...rest } = value
      const places = child(child(part, 'properties') ?? part, name)
      const own = value[name] ?? (places && valid.one([places], { example: true })) ?? 'a'
      return edit(site, part, 'dependentRequired', {
        value: { ...rest, [name]: own },
        note: `an object with ${name} and without ${missing}`,
      })
    }),
  )
}

export function invalidNames(part: Place, site: Site): Edit[] {
  if (!isObject(site.value)) return []
  const own = Object.values(site.value)[0] ?? 'a'
  const names = [UNKNOWN_NAME, 'X', '1', ' ', '#', 'é', 'a'.repeat(300), '']
  return names.map((property) =>
    edit(site, part, 'propertyNames', { property, value: own, note: 'a property with another name' }),
  )
}

/** Sets the discriminator to an unknown value. */
export function unknownTag(said: Json, part: Place, site: Site): Edit[] {
  const property = propertyOf(said, 'propertyName')
  const own = typeof property === 'string' ? propertyOf(site.value, property) : undefined
  if (typeof property !== 'string' || typeof own !== 'string') return []
  return nearMisses([own], own).map((to) => edit(site, part, 'discriminator', { ...to, property }))
}
