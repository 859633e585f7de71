import { choicesOf } from './choices.ts'
import { type Edit, edit } from './edit.ts'
import { listOf } from './sized-values.ts'
import { isObject, type Json } from './json.ts'
import { exact, numberRulesOf } from './valid-numbers.ts'
import { objectEdges } from './object-edges.ts'
import type { Place } from './place.ts'
import { type Site, saidBy, sayingType } from './sites.ts'
import { type EdgeOptions, textEdges } from './string-edges.ts'
import type { Valid } from './valid-values.ts'

/** Changes of one place after which its value should still be right: the inside of each edge. */
export function edgesOfSite(site: Site, valid: Valid, options: EdgeOptions = {}): Edit[] {
  const { value } = site
  return [
    ...(typeof value === 'string' ? textEdges(site, options) : []),
    ...(typeof value === 'number' ? numberEdges(site) : []),
    ...(Array.isArray(value) ? listEdges(site, valid) : []),
    ...(isObject(value) ? objectEdges(site, valid) : []),
    ...anyEdges(site, valid),
  ]
}

function anyEdges(site: Site, valid: Valid): Edit[] {
  const { parts } = site
  const types = saidBy(parts, 'type').flatMap(([types, part]) =>
    [types].flat().map((it) => [String(it), part] as const),
  )
  return [
    ...saidBy(parts, 'enum').flatMap(([values, part]) =>
      (values as Json[]).map((value) => edit(site, part, 'enum', { value, note: 'another of the values' })),
    ),
    ...types.flatMap(([type, part]) => typeEdges(site, part, type, valid)),
    ...saidBy(parts, 'default').map(([value, part]) =>
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

function typeEdges(site: Site, part: Place, type: string, valid: Valid): Edit[] {
  const values = OF_TYPE[type]
  if (values) return values.map((value) => edit(site, part, 'type', { value, note: `${value}` }))
  const made = valid.one([{ ...part }], { example: true })
  return made === undefined || site.value !== null
    ? []
    : [edit(site, part, 'type', { value: made, note: 'a value instead of null' })]
}

interface Branch {
  readonly schema: Place
  readonly keyword: string
  readonly branch: readonly Place[]
  readonly number: number
}

function branchEdge(site: Site, valid: Valid, { schema, keyword, branch, number }: Branch): Edit[] {
  const value = valid.one([...site.places, ...branch], { example: true })
  return value === undefined ? [] : [edit(site, schema, keyword, { value, note: `of form ${number}` })]
}

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const

function numberEdges(site: Site): Edit[] {
  const schema = sayingType(site)
  if (!schema) return []
  const type = saidBy(site.parts, 'type').some(([it]) => it === 'integer') ? 'integer' : 'number'
  const { step, min, max } = numberRulesOf(site.parts, type)
  const bounds = BOUNDS.flatMap((keyword) =>
    saidBy(site.parts, keyword).flatMap(([bound, part]) => {
      const edge = keyword.toLowerCase().includes('min') ? min : max
      const inside = keyword.toLowerCase().includes('min') ? step : -step
      return [edge, exact(edge + inside)].map((value) =>
        edit(site, part, keyword, { value, note: `at the edge of ${bound}` }),
      )
    }),
  )
  const plain = [0, 1, -1, 0.1, 1e-7, 2 ** 31, Number.MAX_SAFE_INTEGER, 1e15]
  const multiples = saidBy(site.parts, 'multipleOf').flatMap(([it, part]) =>
    [0, 1, -1, 7].map((times) =>
      edit(site, part, 'multipleOf', { value: exact(Number(it) * times), note: `${times} times ${it}` }),
    ),
  )
  return [
    ...bounds,
    ...multiples,
    ...plain.map((value) => edit(site, schema, 'type', { value, note: `${value}` })),
  ]
}

function listEdges(site: Site, valid: Valid): Edit[] {
  const schema = sayingType(site)
  if (!schema) return []
  const isUnique = saidBy(site.parts, 'uniqueItems').some(([it]) => it === true)
  const lengths = (['minItems', 'maxItems'] as const).flatMap((keyword) =>
    saidBy(site.parts, keyword).flatMap(([length, part]) => {
      const value = listOf(site, Number(length), isUnique, valid)
      return value ? [edit(site, part, keyword, { value, note: `a list of ${length} items` })] : []
    }),
  )
  const twice = isUnique
    ? []
    : [
        edit(site, schema, 'items', {
          value: listOf(site, 2, false, valid) ?? [],
          note: 'a list with the same item twice',
        }),
      ]
  return [...lengths, edit(site, schema, 'type', { value: [], note: 'empty' }), ...twice]
}
