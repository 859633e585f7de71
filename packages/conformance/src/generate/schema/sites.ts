import { below } from '../../model/document.ts'
import { choicesOf } from './choices.ts'
import { isObject, type Json, withValue } from './json.ts'
import { itemPlaces, keywordValues, propertyNames, propertyPlaces, undeclaredNames } from './parts.ts'
import { keywordOf, type Place } from './place.ts'
import type { SchemaContract } from './schema-contract.ts'
import type { ValidValues } from './valid-values.ts'

/** A value inside an accepted body, and every schema that applies to it. */
export interface Site {
  /** JSON pointer into the body. */
  readonly pointer: string
  readonly value: Json
  /** The whole body. An optional property on the way to the site may have been added. */
  readonly body: Json
  /** The schemas at this place. */
  readonly places: readonly Place[]
  /** These schemas, their `$ref` targets and `allOf`, and the branches that the value matches. */
  readonly parts: readonly Place[]
  /** False if the site was added to the accepted body. */
  readonly isPresent: boolean
}

/** Schemas of added properties. A recursive schema is added once. */
type Added = ReadonlySet<string>

interface SiteOptions {
  /**
   * Also adds objects with all properties and a second list item. A business rule, or a service that validates only
   * the first item, could hide a missing check. Default: false.
   */
  readonly isThorough?: boolean
}

/** Every site of an accepted value, including optional properties that it leaves out. */
export function sitesOf(
  contract: SchemaContract,
  valid: ValidValues,
  schema: Place,
  body: Json,
  { isThorough = false }: SiteOptions = {},
): Site[] {
  const found: Site[] = []
  walk({ pointer: '', value: body, body, places: [schema] }, new Set())
  return found

  function walk(at: Pick<Site, 'pointer' | 'value' | 'body' | 'places'>, added: Added): void {
    const site = { ...at, parts: activeParts(contract, at.places, at.value), isPresent: added.size === 0 }
    found.push(site)
    if (Array.isArray(at.value)) items(site, at.value, added)
    else if (isObject(at.value)) {
      for (const name of Object.keys(at.value)) inner(site, name, propertyPlaces(site.parts, name), added)
      for (const name of [...propertyNames(site.parts), ...undeclaredNames(site.parts)])
        if (!Object.hasOwn(at.value, name)) absent(site, name, added)
    }
  }

  function items(site: Site, value: readonly Json[], added: Added): void {
    if (value.length === 0) empty(site, added)
    if (value.length === 0) return
    for (const index of new Set([0, value.length - 1]))
      inner(site, String(index), itemPlaces(site.parts), added)
    if (value.length === 1 && isThorough) second(site, value, added)
  }

  function empty(site: Site, added: Added): void {
    absent(site, '0', added)
    const item = isThorough ? formsOf(contract, valid, itemPlaces(site.parts)).at(-1) : undefined
    if (item !== undefined) second(site, [item], added)
  }

  /** A list with its item twice. */
  function second(site: Site, [item]: readonly Json[], added: Added): void {
    const places = itemPlaces(site.parts)
    const body = item === undefined ? undefined : withValue(site.body, site.pointer, [item, item])
    if (item === undefined || body === undefined || places.some((place) => added.has(place.pointer))) return
    const known = new Set([...added, ...places.map((place) => place.pointer)])
    if (contract.isValid([schema], body))
      walk({ pointer: below(site.pointer, '1'), value: item, body, places }, known)
  }

  function inner(site: Site, name: string, places: readonly Place[], added: Added): void {
    const value = (site.value as Record<string, Json>)[name]
    if (places.length === 0 || value === undefined) return
    walk({ pointer: below(site.pointer, name), value, body: site.body, places }, added)
  }

  function absent(site: Site, name: string, added: Added): void {
    const places = Array.isArray(site.value) ? itemPlaces(site.parts) : propertyPlaces(site.parts, name)
    if (places.some((place) => added.has(place.pointer))) return
    const pointer = below(site.pointer, name)
    const known = new Set([...added, ...places.map((place) => place.pointer)])
    const forms = formsOf(contract, valid, places)
    for (const value of isThorough ? forms : forms.slice(0, 1)) {
      const extended = withValue(site.body, pointer, value)
      if (extended !== undefined && contract.isValid([schema], extended))
        walk({ pointer, value, body: extended, places }, known)
    }
  }
}

/** The smallest value, and one with every property, since business rules can require more than the schema. */
function formsOf(contract: SchemaContract, valid: ValidValues, places: readonly Place[]): Json[] {
  const least = places.length > 0 ? valid.one(places) : undefined
  if (least === undefined) return []
  if (!isObject(least)) return [least]
  const parts = contract.partsOf(places)
  const properties = propertyNames(parts).map((name) => [name, valid.one(propertyPlaces(parts, name))])
  const most = { ...least, ...Object.fromEntries(properties.filter(([, value]) => value !== undefined)) }
  const isMore = Object.keys(most).length > Object.keys(least).length
  return isMore && contract.isValid(places, most) ? [least, most] : [least]
}

/** All schemas that apply to a value, including those of the branches that it matches. */
function activeParts(contract: SchemaContract, places: readonly Place[], value: Json): readonly Place[] {
  let parts = contract.partsOf(places)
  for (let i = 0; i < parts.length && i < 200; i++) {
    const part = parts[i]
    if (part) parts = contract.partsOf([...parts, ...chosenBy(contract, part, value)])
  }
  return parts
}

/** The branches that a value matches. */
function chosenBy(contract: SchemaContract, part: Place, value: Json): Place[] {
  return choicesOf(part).flatMap(
    ({ branches }) => branches.find((branch) => contract.isValid([branch], value)) ?? [],
  )
}

export function exampleStrings({ parts }: Site): string[] {
  const shown = keywordValues(parts, 'examples').flatMap(([examples]) => [examples].flat())
  return [...new Set(shown.filter((it) => typeof it === 'string'))]
}

/** The schema with `type`, which stands for edits that concern the type in general. */
export function typedPlace({ parts }: Site): Place | undefined {
  return parts.find((part) => keywordOf(part, 'type') !== undefined) ?? parts[0]
}
