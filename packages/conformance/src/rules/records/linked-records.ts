import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../engine/context.ts'
import { nodeOf, valueAt } from '../../model/document.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { Link } from '../../model/links.ts'
import { citing } from '../common/declared-sources.ts'
import { itemsIn } from '../lists/items.ts'
import { differingField } from './differences.ts'

/** Expects a record to have the same values in its list and where it is read. */
export function expectLinkedRecords(context: Context): Promise<void> {
  return context.each(context.contract.links, (link) => tryLink(context, link))
}

/** Follows a link that leads from a list to one of its records. */
async function tryLink(context: Context, link: Link): Promise<void> {
  const { contract, builder } = context
  const [list, read] = [contract.operation(link.from), contract.operation(link.to)]
  if (
    list.method !== 'GET' ||
    read.method !== 'GET' ||
    read.pathParameters.length !== 1 ||
    !context.isIncluded(read)
  )
    return
  const listed = await context.accepted(list.id)
  const input = listed && builder.inputFromLink(link, listed)
  const [id = ''] = Object.values(input?.path ?? {})
  const item = itemsIn(listed?.body).find((it) => Object.values(nodeOf(it)).map(String).includes(id))
  const exchange = input && item ? await context.send(read, input) : undefined
  if (!exchange || !isSuccess(exchange)) return context.inconclusive()
  const record =
    Object.values(nodeOf(exchange.body)).find((it) => nodeOf(it).id === nodeOf(item).id) ?? exchange.body
  const name = differingField(contract, [item, record])
  context.expect(exchange, name && `${read.id} shows another ${name} than ${list.id}.`, { about: list.id })
  const isShown = [exchange.body, record].some((it) => Object.values(nodeOf(it)).map(String).includes(id))
  const other = `${read.id} shows another id than the requested one.`
  context.expect(exchange, isShown ? undefined : other, { about: 'id' })
  expectCopied(context, { listed, exchange })
}

interface Copied {
  readonly listed: Exchange | undefined
  readonly exchange: Exchange
}

/** Expects the declared copies of fields outside of the records. */
function expectCopied({ behaviour, expect }: Context, { listed, exchange }: Copied): void {
  for (const [name, it] of Object.entries(behaviour.copies ?? {})) {
    if (!it.from.includes(listed?.view?.id ?? '') || it.to !== exchange.view?.id) continue
    const wrong = Object.entries(it.fields ?? {}).find(
      ([from, to]) => !isDeepStrictEqual(valueAt(listed?.body, from), valueAt(exchange.body, to)),
    )
    const message = wrong && `${it.to} shows another ${wrong[1]} than ${listed?.view?.id}.`
    expect(exchange, message, { about: name, ...citing(it) })
  }
}
