import type { Context } from '../../engine/context.ts'
import { EXAMPLE, type Json } from '../../generate/schema/index.ts'
import { below, nodeOf, valueAt } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { Resource } from '../../model/resources.ts'
import { doStep } from '../common/record-steps.ts'

export interface Filter {
  /** The parameter. */
  readonly name: string
  /** The field of an item that it compares. */
  readonly field: string
}

export type Valued = Filter & { readonly value: string }

/** The declared filters of a list. */
export function filtersOf({ behaviour }: Context, { id }: OperationView): Filter[] {
  const declared = Object.entries(behaviour.lists?.[id]?.filters ?? {})
  return declared.map(([name, { field }]) => ({ name, field }))
}

/** The field of a record that a filter compares: where it is declared to be, or under the name of the filter. */
export function valueIn(record: unknown, { name, field }: Filter): string | undefined {
  const inside = Object.values(nodeOf(record)).flatMap((it) =>
    Array.isArray(it) ? [] : (nodeOf(it)[name] ?? []),
  )
  const value = [valueAt(record, field), nodeOf(record)[name], ...inside].find((it) => it !== undefined)
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
}

/** Values of a filter that are tried. */
const VALUES = 3

/** Values of a filter that records have, those of the first ones. */
export function valuesOf(items: readonly unknown[], filter: Filter): Valued[] {
  const values = items.flatMap((it) => valueIn(it, filter) || [])
  return [...new Set(values)].slice(0, VALUES).map((value) => ({ ...filter, value }))
}

/** Declared values that no record has: the filtered list must be empty. */
export function unseenValuesOf(
  { contract: { document } }: Context,
  { queryParameters }: OperationView,
  { filter, seen }: { readonly filter: Filter; readonly seen: readonly Valued[] },
): Valued[] {
  const { pointer } = queryParameters.find(({ name }) => name === filter.name) ?? { pointer: '' }
  const { node } = document.follow(below(pointer, 'schema'))
  const listed = node.type === 'boolean' ? [true, false] : Object.values(nodeOf(node.enum))
  const unseen = listed.map(String).filter((value) => !seen.some((it) => it.value === value))
  return unseen.slice(0, VALUES).map((value) => ({ ...filter, value }))
}

/** Creates records with more than one value of each filter: one that is ended, one with other values, one between. */
export async function createVaried(
  context: Context,
  { create, cancel }: Resource,
  filters: readonly Filter[],
): Promise<void> {
  const ended = filters.length > 0 && context.canSend(create) ? await context.accepted(create.id) : undefined
  if (!ended) return
  for (const { field } of filters) await createOther(context, ended, field)
  if (cancel) await doStep(context, cancel, ended)
  await context.accepted(create.id)
}

async function createOther(context: Context, { input, view }: Exchange, field: string): Promise<void> {
  const value = valueAt(input.body, field)
  if (view?.bodyPointer === undefined || !['string', 'boolean'].includes(typeof value)) return
  const cases = context.schemas.boundaries(view.bodyPointer, (view.examples[0] ?? input.body) as Json)
  // Examples of the schema keep rules that it does not show, such as check digits.
  const ordered = [...cases.filter(({ change }) => change.note === EXAMPLE), ...cases]
  const others = ordered.flatMap(({ body, change }) => {
    const other = change.pointer === field ? valueAt(body, field) : undefined
    return typeof other === typeof value && other !== '' && other !== value ? [other] : []
  })
  for (const other of others.slice(0, VALUES))
    if (await context.accepted(view.id, { set: { [field]: other } })) return
}
