import type { Context } from '../../engine/context.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { type Resource, resourcesOf } from '../../model/resources.ts'
import { listIn } from './records.ts'
import { wide } from './whole-list.ts'

/** A list that was filtered by a value which a record has that was made for it. */
export interface Filtered {
  readonly name: string
  readonly value: string
  readonly created: Exchange
  readonly exchange: Exchange
  readonly items: readonly unknown[]
  readonly resource: Resource & { readonly list: OperationView }
}

/** Filters each list by each of its filters. */
export async function withFilters(
  context: Context,
  work: (filtered: Filtered) => Promise<void>,
): Promise<void> {
  for (const resource of resourcesOf(context.contract)) {
    const { list, create } = resource
    if (!list || !context.isAsked(list) || !context.may(create)) continue
    for (const { name } of list.queryParameters.filter((it) => !['cursor', 'limit'].includes(it.name))) {
      const created = await context.accepted(create.id)
      const value = created && valueIn(created.body, name)
      if (!created || value === undefined) context.inconclusive()
      else {
        const query = { [name]: value, ...wide(context, list) }
        const exchange = await context.send(list, { query })
        if (!isSuccess(exchange)) context.inconclusive()
        else
          await work({
            name,
            value,
            created,
            exchange,
            items: listIn(exchange.body),
            resource: { ...resource, list },
          })
      }
    }
  }
}

/** A value of a filter that the newest records do not all have. */
export async function otherValue(context: Context, { name, value, resource }: Filtered): Promise<string> {
  const { body } = await context.send(resource.list, { query: wide(context, resource.list) })
  const values = listIn(body).map((it) => valueIn(it, name))
  return values.find((it) => it !== undefined && it !== value && it !== '') ?? unlike(value)
}

function unlike(value: string): string {
  if (value === 'ATIVA') return 'REMOVIDA_PELO_PSP'
  return value.replace(/\d/, (digit) => String((Number(digit) + 1) % 10))
}

/** The member of a record, or of its payer, that a filter is named after. */
export function valueIn(record: unknown, name: string): string | undefined {
  const value = nodeOf(record)[name] ?? nodeOf(nodeOf(record).payer)[name]
  return typeof value === 'string' ? value : undefined
}
