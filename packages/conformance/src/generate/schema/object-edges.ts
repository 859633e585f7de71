import { type Edit, edit, keywordEdits } from './edit.ts'
import { isObject, type Json } from './json.ts'
import { propertyNames, propertyPlaces, requiredNames, UNKNOWN_NAME } from './parts.ts'
import { child, type Place } from './place.ts'
import { type Site, typedPlace } from './sites.ts'
import { objectOfSize } from './sized-values.ts'
import type { ValidValues } from './valid-values.ts'

/** Objects with the fewest and the most properties, and with each optional one. */
export function objectEdges(site: Site, valid: ValidValues): Edit[] {
  const schema = typedPlace(site)
  const value = site.value
  if (!schema || !isObject(value)) return []
  const required = requiredNames(site.parts)
  const optional = propertyNames(site.parts).filter((name) => !required.includes(name))
  const least = Object.fromEntries(Object.entries(value).filter(([name]) => required.includes(name)))
  const reordered = Object.fromEntries(Object.entries(value).toReversed())
  const unknown = [
    ['a string', 'a'],
    ['null', null],
    ['an object', { a: [1] }],
  ] as const
  return [
    edit(site, schema, 'properties', {
      value: reordered,
      note: 'an object with its properties in reverse order',
    }),
    edit(site, schema, 'required', { value: least, note: 'an object with only its required properties' }),
    ...optional.flatMap((name) => optionalEdges(site, valid, { name, value, least })),
    ...unknown.map(([kind, it]) =>
      edit(site, schema, 'additionalProperties', {
        property: UNKNOWN_NAME,
        value: it,
        note: `an unknown property: ${kind}`,
      }),
    ),
    ...countEdges(site, valid),
  ]
}

interface Optional {
  readonly name: string
  readonly value: { readonly [name: string]: Json }
  readonly least: { readonly [name: string]: Json }
}

/** An optional property left out, and as the only one besides the required ones. */
function optionalEdges(site: Site, valid: ValidValues, { name, value, least }: Optional): Edit[] {
  const part = site.parts.find((it) => child(child(it, 'properties') ?? it, name)) ?? site.parts[0]
  if (!part) return []
  const own = value[name] ?? valid.one(propertyPlaces(site.parts, name))
  if (Object.hasOwn(value, name)) {
    const absent = edit(site, part, 'required', { property: name, value: undefined, note: 'left out' })
    return [absent, aloneEdge(site, part, name, { ...least, [name]: value[name] ?? null })]
  }
  if (own === undefined) return []
  const added = edit(site, part, 'required', { property: name, value: own, note: 'added' })
  return [added, aloneEdge(site, part, name, { ...least, [name]: own })]
}

function aloneEdge(site: Site, part: Place, name: string, value: Json): Edit {
  const note = `an object with only its required properties and ${name}`
  return { ...edit(site, part, 'required', { value, note }), property: name }
}

function countEdges(site: Site, valid: ValidValues): Edit[] {
  return keywordEdits(site, 'maxProperties', (most) => {
    const value = objectOfSize(site, Number(most), valid)
    return value ? [{ value, note: `an object with ${most} properties` }] : []
  })
}
