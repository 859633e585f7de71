import { choicesOf, itemPlaces, propertyNames, propertyPlaces, undeclaredNames } from './choices.ts'
import { isObject, type Json, pointerOf, withValue } from './json.ts'
import { child, children, keywordOf, type Place } from './place.ts'
import type { SchemaContract } from './schema-contract.ts'
import type { ValidValues } from './valid-values.ts'

/** A value inside an accepted one, and every schema that it has to keep. */
export interface Site {
  /** JSON pointer into the message. */
  readonly pointer: string
  readonly value: Json
  /** The whole message: the accepted one, to which an optional member may have been added that leads here. */
  readonly body: Json
  /** The schemas that were asked for. */
  readonly places: readonly Place[]
  /** Those, what they refer to, and the branches that the value is of. */
  readonly parts: readonly Place[]
  /** Whether the accepted message has it; otherwise it was added. */
  readonly isPresent: boolean
}

/** Pointers to the schemas of the members that were added to come to a place: one that holds itself is added once. */
type Added = ReadonlySet<string>

/** What places are asked for beside the usual. */
interface SiteOptions {
  /**
   * Whether an object that is added comes with all of its members too, and a list of one item with a second: what a
   * rule of the business refuses, or a service looks at no more, would hide a missing check. Default: false.
   */
  readonly isThorough?: boolean
}

/** Every place of an accepted value, and of the optional members that it leaves out. */
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
      inner(site, String(index), itemPlaces(site.parts, index), added)
    if (value.length === 1 && isThorough) second(site, value, added)
  }

  function empty(site: Site, added: Added): void {
    absent(site, '0', added)
    const item = isThorough ? formsOf(contract, valid, itemPlaces(site.parts, 0)).at(-1) : undefined
    if (item !== undefined) second(site, [item], added)
  }

  /** The item of a list once more, behind itself. */
  function second(site: Site, [item]: readonly Json[], added: Added): void {
    const places = itemPlaces(site.parts, 1)
    const body = item === undefined ? undefined : withValue(site.body, site.pointer, [item, item])
    if (item === undefined || body === undefined || places.some((place) => added.has(place.pointer))) return
    const known = new Set([...added, ...places.map((place) => place.pointer)])
    if (contract.fits([schema], body))
      walk({ pointer: pointerOf(site.pointer, '1'), value: item, body, places }, known)
  }

  function inner(site: Site, name: string, places: readonly Place[], added: Added): void {
    const value = (site.value as Record<string, Json>)[name]
    if (places.length === 0 || value === undefined) return
    walk({ pointer: pointerOf(site.pointer, name), value, body: site.body, places }, added)
  }

  function absent(site: Site, name: string, added: Added): void {
    const places = Array.isArray(site.value) ? itemPlaces(site.parts, 0) : propertyPlaces(site.parts, name)
    if (places.some((place) => added.has(place.pointer))) return
    const pointer = pointerOf(site.pointer, name)
    const known = new Set([...added, ...places.map((place) => place.pointer)])
    const forms = formsOf(contract, valid, places)
    for (const value of isThorough ? forms : forms.slice(0, 1)) {
      const whole = withValue(site.body, pointer, value)
      if (whole !== undefined && contract.fits([schema], whole))
        walk({ pointer, value, body: whole, places }, known)
    }
  }
}

/** The least value, and that with every member: a rule of the business may ask for more than the schema does. */
function formsOf(contract: SchemaContract, valid: ValidValues, places: readonly Place[]): Json[] {
  const least = places.length > 0 ? valid.one(places, { example: true }) : undefined
  if (least === undefined) return []
  if (!isObject(least)) return [least]
  const parts = contract.partsOf(places)
  const members = propertyNames(parts).map((name) => [
    name,
    valid.one(propertyPlaces(parts, name), { example: true }),
  ])
  const most = { ...least, ...Object.fromEntries(members.filter(([, value]) => value !== undefined)) }
  const isMore = Object.keys(most).length > Object.keys(least).length
  return isMore && contract.fits(places, most) ? [least, most] : [least]
}

/** The schemas that a value has to keep: those of the branches that it is of too. */
function activeParts(contract: SchemaContract, places: readonly Place[], value: Json): readonly Place[] {
  let parts = contract.partsOf(places)
  for (let i = 0; i < parts.length && i < 200; i++) {
    const part = parts[i]
    if (part) parts = contract.partsOf([...parts, ...chosenBy(contract, part, value)])
  }
  return parts
}

function chosenBy(contract: SchemaContract, part: Place, value: Json): Place[] {
  const dependents = isObject(value)
    ? children(child(part, 'dependentSchemas')).filter(([name]) => Object.hasOwn(value, name))
    : []
  return [
    ...choicesOf(part).flatMap((it) => branchOf(contract, it, value)),
    ...dependents.map(([, it]) => it),
  ]
}

function branchOf(
  contract: SchemaContract,
  { keyword, branches }: ReturnType<typeof choicesOf>[number],
  value: Json,
): readonly Place[] {
  if (keyword !== 'if') return branches.find((branch) => contract.fits(branch, value)) ?? []
  const [[test, ...then] = [], otherwise = []] = branches
  return test && contract.fits([test], value) ? then : otherwise
}

/** Texts that the schemas of a value show as examples. */
export function exampleStrings({ parts }: Site): string[] {
  const shown = keywordValues(parts, 'examples').flatMap(([examples]) => [examples].flat())
  return [...new Set(shown.filter((it) => typeof it === 'string'))]
}

/** What the parts say with one keyword: each with the part that says it. */
export function keywordValues(parts: readonly Place[], keyword: string): [value: Json, part: Place][] {
  return parts.flatMap((part) => {
    const value = keywordOf(part, keyword) as Json | undefined
    return value === undefined ? [] : [[value, part] as [Json, Place]]
  })
}

/** The schema that says of what type the value is: what is allowed of all values of a type is its word. */
export function typedPlace({ parts }: Site): Place | undefined {
  return parts.find((part) => keywordOf(part, 'type') !== undefined) ?? parts[0]
}
