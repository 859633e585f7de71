import { choicesOf } from './choices.ts'
import { type Edit, edit } from './edit.ts'
import { isObject, type Json } from './json.ts'
import { objectEdges } from './object-edges.ts'
import type { Place } from './place.ts'
import { keywordValues, type Site, typedPlace } from './sites.ts'
import { listOf } from './sized-values.ts'
import { type EdgeOptions, stringEdges } from './string-edges.ts'
import { numberRulesOf, rounded } from './valid-numbers.ts'
import type { ValidValues } from './valid-values.ts'

/** Edits after which a value should still be valid, at the boundaries of its keywords. */
export function edgesOfSite(site: Site, valid: ValidValues, options: EdgeOptions = {}): Edit[] {
  const { value } = site
  return [
    ...(typeof value === 'string' ? stringEdges(site, options) : []),
    ...(typeof value === 'number' ? numberEdges(site) : []),
    ...(Array.isArray(value) ? listEdges(site, valid) : []),
    ...(isObject(value) ? objectEdges(site, valid) : []),
    ...anyEdges(site, valid),
  ]
}

function anyEdges(site: Site, valid: ValidValues): Edit[] {
  const { parts } = site
  const types = keywordValues(parts, 'type').flatMap(([types, part]) =>
    [types].flat().map((it) => [String(it), part] as const),
  )
  return [
    ...keywordValues(parts, 'enum').flatMap(([values, part]) =>
      (values as Json[]).map((value) => edit(site, part, 'enum', { value, note: 'another enum value' })),
    ),
    ...types.flatMap(([type, part]) => typeEdges(site, part, type, valid)),
    ...keywordValues(parts, 'default').map(([value, part]) =>
      edit(site, part, 'default', { value, note: 'the default, written out' }),
    ),
    ...parts
      .flatMap(choicesOf)
      .flatMap(({ schema, keyword, branches }) =>
        branches.flatMap((branch, i) => branchEdge(site, valid, { schema, keyword, branch, number: i + 1 })),
      ),
  ]
}

const OF_TYPE: Readonly<Record<string, readonly Json[]>> = { null: [null], boolean: [true, false] }

function typeEdges(site: Site, part: Place, type: string, valid: ValidValues): Edit[] {
  const values = OF_TYPE[type]
  if (values) return values.map((value) => edit(site, part, 'type', { value, note: `${value}` }))
  const value = valid.one([{ ...part }], { example: true })
  return value === undefined || site.value !== null
    ? []
    : [edit(site, part, 'type', { value, note: 'a value instead of null' })]
}

interface Branch {
  readonly schema: Place
  readonly keyword: string
  readonly branch: readonly Place[]
  readonly number: number
}

function branchEdge(site: Site, valid: ValidValues, { schema, keyword, branch, number }: Branch): Edit[] {
  const value = valid.one([...site.places, ...branch], { example: true })
  return value === undefined
    ? []
    : [edit(site, schema, keyword, { value, note: `a match of branch ${number}` })]
}

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const

function numberEdges(site: Site): Edit[] {
  const schema = typedPlace(site)
  if (!schema) return []
  const type = keywordValues(site.parts, 'type').some(([it]) => it === 'integer') ? 'integer' : 'number'
  const { step, min, max } = numberRulesOf(site.parts, type)
  const bounds = BOUNDS.flatMap((keyword) =>
    keywordValues(site.parts, keyword).flatMap(([bound, part]) => {
      const edge = keyword.toLowerCase().includes('min') ? min : max
      const inside = keyword.toLowerCase().includes('min') ? step : -step
      return [edge, rounded(edge + inside)].map((value) =>
        edit(site, part, keyword, { value, note: `at the boundary of ${bound}` }),
      )
    }),
  )
  const plain = [0, 1, -1, 0.1, 1e-7, 2 ** 31, Number.MAX_SAFE_INTEGER, 1e15]
  const multiples = keywordValues(site.parts, 'multipleOf').flatMap(([it, part]) =>
    [0, 1, -1, 7].map((times) =>
      edit(site, part, 'multipleOf', { value: rounded(Number(it) * times), note: `${times} times ${it}` }),
    ),
  )
  return [
    ...bounds,
    ...multiples,
    ...plain.map((value) => edit(site, schema, 'type', { value, note: `${value}` })),
  ]
}

function listEdges(site: Site, valid: ValidValues): Edit[] {
  const schema = typedPlace(site)
  if (!schema) return []
  const isUnique = keywordValues(site.parts, 'uniqueItems').some(([it]) => it === true)
  const lengths = (['minItems', 'maxItems'] as const).flatMap((keyword) =>
    keywordValues(site.parts, keyword).flatMap(([length, part]) => {
      const value = listOf(site, Number(length), isUnique, valid)
      return value ? [edit(site, part, keyword, { value, note: `an array of ${length} items` })] : []
    }),
  )
  const twice = isUnique
    ? []
    : [
        edit(site, schema, 'items', {
          value: listOf(site, 2, false, valid) ?? [],
          note: 'an array with the same item twice',
        }),
      ]
  return [...lengths, edit(site, schema, 'type', { value: [], note: 'empty' }), ...twice]
}
