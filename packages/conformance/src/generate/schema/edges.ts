import { choicesOf } from './choices.ts'
import { type Edit, edit, keywordEdits } from './edit.ts'
import { isObject, type Json } from './json.ts'
import { objectEdges } from './object-edges.ts'
import { keywordValues } from './parts.ts'
import type { Place } from './place.ts'
import { type Site, typedPlace } from './sites.ts'
import { listOf } from './sized-values.ts'
import { stringEdges } from './string-edges.ts'
import { numberRulesOf, rounded } from './valid-numbers.ts'
import type { ValidValues } from './valid-values.ts'

/** Edits after which a value should still be valid, at the boundaries of its keywords. */
export function edgesOfSite(site: Site, valid: ValidValues): Edit[] {
  const { value } = site
  return [
    ...(typeof value === 'string' ? stringEdges(site) : []),
    ...(typeof value === 'number' ? numberEdges(site) : []),
    ...(Array.isArray(value) ? listEdges(site, valid) : []),
    ...(isObject(value) ? objectEdges(site, valid) : []),
    ...anyEdges(site, valid),
  ]
}

function anyEdges(site: Site, valid: ValidValues): Edit[] {
  const branches = site.parts.flatMap(choicesOf).flatMap(({ schema, keyword, branches }) =>
    branches.flatMap((branch, i) => {
      const value = valid.one([...site.places, branch])
      return value === undefined
        ? []
        : [edit(site, schema, keyword, { value, note: `a match of branch ${i + 1}` })]
    }),
  )
  return [
    ...keywordEdits(site, 'enum', (values) =>
      (values as Json[]).map((value) => ({ value, note: 'another enum value' })),
    ),
    ...keywordValues(site.parts, 'type').flatMap(([types, part]) =>
      [types].flat().flatMap((type) => typeEdges(site, part, String(type), valid)),
    ),
    ...keywordEdits(site, 'default', (value) => [{ value, note: 'the default, written out' }]),
    ...branches,
  ]
}

const OF_TYPE: Readonly<Record<string, readonly Json[]>> = { null: [null], boolean: [true, false] }

function typeEdges(site: Site, part: Place, type: string, valid: ValidValues): Edit[] {
  const values = OF_TYPE[type]
  if (values) return values.map((value) => edit(site, part, 'type', { value, note: `${value}` }))
  const value = site.value === null ? valid.one([{ ...part }]) : undefined
  return value === undefined ? [] : [edit(site, part, 'type', { value, note: 'a value instead of null' })]
}

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const
const PLAIN_NUMBERS = [0, 1, -1, 0.1, 1e-7, 2 ** 31, Number.MAX_SAFE_INTEGER, 1e15]

function numberEdges(site: Site): Edit[] {
  const schema = typedPlace(site)
  if (!schema) return []
  const type = keywordValues(site.parts, 'type').some(([it]) => it === 'integer') ? 'integer' : 'number'
  const { step, min, max } = numberRulesOf(site.parts, type)
  const bounds = BOUNDS.flatMap((keyword) => {
    const isMin = keyword.toLowerCase().includes('min')
    const values = isMin ? [min, rounded(min + step)] : [max, rounded(max - step)]
    return keywordEdits(site, keyword, (bound) =>
      values.map((value) => ({ value, note: `at the boundary of ${bound}` })),
    )
  })
  const plain = PLAIN_NUMBERS.map((value) => edit(site, schema, 'type', { value, note: `${value}` }))
  return [...bounds, ...plain]
}

function listEdges(site: Site, valid: ValidValues): Edit[] {
  const schema = typedPlace(site)
  if (!schema) return []
  const lengths = ['minItems', 'maxItems'].flatMap((keyword) =>
    keywordEdits(site, keyword, (length) => {
      const value = listOf(site, Number(length), valid)
      return value ? [{ value, note: `an array of ${length} items` }] : []
    }),
  )
  const empty = edit(site, schema, 'type', { value: [], note: 'empty' })
  const twice = listOf(site, 2, valid) ?? []
  const repeated = edit(site, schema, 'items', { value: twice, note: 'an array with the same item twice' })
  return [...lengths, empty, repeated]
}
