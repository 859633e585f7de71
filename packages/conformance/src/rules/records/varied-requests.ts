import type { Context } from '../../engine/context.ts'
import { renewed } from '../../generate/fresh-values.ts'
import { EXAMPLE, type Json } from '../../generate/schema/index.ts'
import { stringVariants } from '../../generate/string-variants.ts'
import { dateTimesIn } from '../../model/date-times.ts'
import { below, nodeOf, valueAt, withValueAt } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { EMAIL } from './shown-values.ts'

/** Fields to set in a valid request. If a business rule refuses the first set, the next one is tried. */
export type Alternatives = readonly Readonly<Record<string, unknown>>[]

/** Amounts that binary floating point rounds. */
const AMOUNTS = ['1.15', '8765432109.87']
/** Strings that careless code changes: an address in mixed case, a time with an offset. */
const REWRITTEN: readonly (readonly [form: RegExp, by: (text: string, random: () => number) => string])[] = [
  [EMAIL, (it, random) => `Ana.${Math.floor(random() * 1e9)}${it.slice(it.indexOf('@'))}`],
  [/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, (it) => it.replace('Z', '-03:00')],
]
/** Parts of a URL that careless normalization loses: upper case, a query, escapes. */
const URL_PARTS = '/Pix?loja=1&Pedido=%C3%A9'

/** Edits of a valid body whose values are easily lost: texts of all kinds, amounts, URLs, arrays in order, choices. */
export function variationsOf(
  context: Context,
  { bodyPointer, ...view }: OperationView,
  example: unknown,
): Alternatives[] {
  if (bodyPointer === undefined) return []
  const { schemas } = context
  const body = example ?? schemas.validOf(bodyPointer)
  const texts = stringVariants(schemas, { pointer: bodyPointer, body: body as Json })
  return [
    ...texts,
    ...boundariesOf(context, { bodyPointer, ...view }, body),
    ...amountsOf(body),
    ...urlsOf(body),
    ...rewrittenOf(context, bodyPointer, body),
    ...pairsOf(context, bodyPointer, body),
  ]
}

/** Values at boundaries of the schema that are easily lost, and one value for each field that the body lacks. */
function boundariesOf(
  { schemas }: Context,
  { bodyPointer = '', oneTimeFields }: OperationView,
  body: unknown,
): Alternatives[] {
  const edges = schemas
    .boundaries(bodyPointer, body as Json)
    .filter(({ change: { pointer, keyword } }) => {
      return pointer !== '' && keyword !== 'additionalProperties' && !oneTimeFields.includes(pointer)
    })
    .map(({ body: it, change: { pointer, keyword, note } }) => {
      return { pointer, keyword, note, value: valueAt(it, pointer) }
    })
  // A field that is null is lacking too.
  const added = new Map(
    edges
      .filter(({ pointer, value }) => (valueAt(body, pointer) ?? null) === null && isPlain(value))
      .toReversed()
      .map((it) => [it.pointer, it]),
  )
  const meant = edges.filter((it) => added.get(it.pointer) === it || isEasilyLost(it))
  return meant.map(({ pointer, value }) => [{ [pointer]: value }])
}

interface Edge {
  readonly keyword: string
  readonly note: string
  readonly value: unknown
}

/** Fractions, enum values, examples, and what careless code takes for no value. */
function isEasilyLost({ keyword, note, value }: Edge): boolean {
  if (value === null || value === 0 || typeof value === 'boolean' || keyword === 'enum') return true
  return typeof value === 'number' ? !Number.isInteger(value) : note === EXAMPLE && typeof value === 'string'
}

/** A value without side effects: a date may be in the past, and end the record. */
function isPlain(value: unknown): boolean {
  return value !== null && value !== undefined && !isDate(value)
}

/** Edits of the first amount of a body: alone in its object, and among the other fields. */
function amountsOf(body: unknown): Alternatives[] {
  const found = leavesOf(body).find(([, it]) => /^\d+\.\d\d$/.test(String(it)))
  if (!found) return []
  const [pointer] = found
  const [, parent = '', name = ''] = /^(.*)\/([^/]*)$/.exec(pointer) ?? []
  return AMOUNTS.map((it) => [...(parent === '' ? [] : [{ [parent]: { [name]: it } }]), { [pointer]: it }])
}

function urlsOf(body: unknown): Alternatives[] {
  return leavesOf(body).flatMap(([pointer, it]) => {
    const [origin] = /^https?:\/\/[^/]+/.exec(String(it)) ?? []
    return origin === undefined ? [] : [[{ [pointer]: `${origin}${URL_PARTS}` }]]
  })
}

function rewrittenOf({ contract, random }: Context, schema: string, body: unknown): Alternatives[] {
  const dateTimes = dateTimesIn(contract.document, schema, body)
  return leavesOf(body).flatMap(([pointer, it]) => {
    const [, rewrite] = REWRITTEN.find(([form]) => form.test(String(it))) ?? []
    return rewrite && (!isDate(it) || dateTimes.has(it)) ? [[{ [pointer]: rewrite(String(it), random) }]] : []
  })
}

function isDate(value: unknown): boolean {
  return /^\d{4}-\d\d-\d\d/.test(String(value))
}

/** Two items that differ, whose order counts. */
function pairsOf(
  { contract: { document }, schemas, random }: Context,
  schema: string,
  body: unknown,
): Alternatives[] {
  const { pointer, node } = document.follow(schema)
  return Object.keys(nodeOf(node.properties)).flatMap((name) => {
    const property = document.follow(below(pointer, 'properties', name))
    if (property.node.type !== 'array') return []
    const [shown] = [valueAt(body, below('', name)) ?? []].flat()
    const items = document.follow(below(property.pointer, 'items'))
    const fields = Object.keys(nodeOf(items.node.properties))
    const made = fields.map((it) => [it, schemas.validOf(below(items.pointer, 'properties', it))])
    const item = shown ?? (fields.length > 0 ? Object.fromEntries(made) : schemas.validOf(items.pointer))
    const other = leavesOf(item).reduce(
      (edited, [at, it]) => (typeof it === 'string' ? withValueAt(edited, at, another(it, random)) : edited),
      item as unknown,
    )
    return [[{ [below('', name)]: [item, other] }]]
  })
}

function another(text: string, random: () => number): string {
  const other = renewed(text, random)
  return other === text ? `${text}a` : other
}

/** Values of a body and their pointers, those of arrays left out. */
function leavesOf(value: unknown, at = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return at === '' ? [] : [[at, value]]
  if (Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, it]) => leavesOf(it, below(at, name)))
}

const least = new WeakMap<object, Map<string, readonly string[]>>()

/** The optional fields that can be left out of a request together; found once in a run. */
async function optionalOf(context: Context, view: OperationView, example = 0): Promise<readonly string[]> {
  const known = least.get(context.identities) ?? new Map<string, readonly string[]>()
  least.set(context.identities, known)
  const key = `${view.id} ${example}`
  const found = known.get(key) ?? (await leftOut(context, view, example))
  known.set(key, found)
  return found
}

async function leftOut(context: Context, view: OperationView, example: number): Promise<string[]> {
  const out: string[] = []
  const body = view.examples[example] ?? (view.bodyPointer && context.schemas.validOf(view.bodyPointer))
  for (const name of Object.keys(nodeOf(body))) {
    const tried = [...out, below('', name)]
    if (await context.accepted(view.id, { example, set: without(tried) })) out.push(below('', name))
  }
  return out
}

function without(pointers: readonly string[]): Record<string, undefined> {
  return Object.fromEntries(pointers.map((it) => [it, undefined]))
}

/** A success of the smallest request that the service accepts; undefined where there is none. */
export async function leastAccepted(context: Context, view: OperationView): Promise<Exchange | undefined> {
  return context.accepted(view.id, { set: without(await optionalOf(context, view)) })
}
