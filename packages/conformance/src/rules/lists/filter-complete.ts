import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { type Filtered, valueIn, withFilters } from '../records/filters.ts'
import { anyStep, doStep, isOf, listIn } from '../records/records.ts'
import { PARTIAL, wholeList } from '../records/whole-list.ts'

export const filterComplete: Rule = {
  id: 'filter-complete',
  phase: 'lists',
  cites: { question: 'paging' },
  stateful: true,
  title: 'A filter lists every record that has the value.',
  advice: 'Filter before the page is cut, by the value as it is written.',
  run: (context) =>
    withFilters(context, async (filtered) => {
      const { name, value, exchange } = filtered
      await isListed(context, filtered, { value, exchange, about: name })
      await onceEnded(context, filtered)
    }),
}

interface Asked {
  readonly value: string
  readonly exchange: Exchange
  readonly about: string
}

async function isListed(
  context: Context,
  filtered: Filtered,
  { value, exchange, about }: Asked,
): Promise<void> {
  const { name, created, resource } = filtered
  const step = anyStep(resource)
  if (!step) return context.inconclusive()
  const has = (listed: readonly unknown[]) => listed.some(isOf(step, created))
  if (has(listIn(exchange.body))) return context.passed()
  const whole = await wholeList(context, resource.list, { [name]: value })
  if (whole && has(whole.items)) return context.passed()
  if (!whole?.isWhole) return context.inconclusive(PARTIAL)
  context.expect(exchange, `Expected the record that has this ${name}, and it is not listed.`, { about })
}

/** What a record becomes when it is ended is a value to be filtered by as well. */
async function onceEnded(context: Context, filtered: Filtered): Promise<void> {
  const { name, value, created, resource } = filtered
  const { list, cancel } = resource
  const ended = cancel && (await doStep(context, cancel, created))
  const next = ended && isSuccess(ended) ? valueIn(ended.body, name) : undefined
  if (next === undefined || next === value) return
  const exchange = await context.send(list, { query: { [name]: next } })
  if (!isSuccess(exchange)) return context.inconclusive()
  await isListed(context, filtered, { value: next, exchange, about: `${name} ended` })
}
