import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { type Filtered, otherValue, valueIn, withFilters } from '../records/filters.ts'
import { isPaged } from '../records/pages.ts'
import { doStep, listIn } from '../records/records.ts'

export const filterSound: Rule = {
  id: 'filter-sound',
  phase: 'lists',
  cites: { question: 'paging' },
  stateful: true,
  title: 'A filter lists no record that has another value: on no page, and beside no other filter.',
  advice: 'Filter by equality, before the page is cut.',
  run: (context) =>
    withFilters(context, async (filtered) => {
      const { name, value, exchange, items } = filtered
      const wrong = items.some((it) => valueIn(it, name) !== value)
      const message = `Expected only records whose ${name} is the one asked for, got another.`
      context.expect(exchange, wrong ? message : undefined, { about: name })
      const other = await otherValue(context, filtered)
      const second = await context.send(filtered.resource.list, { query: { [name]: other } })
      if (!isSuccess(second)) return context.inconclusive()
      const isMixed = listIn(second.body).some((it) => valueIn(it, name) !== other)
      context.expect(second, isMixed ? message : undefined, { about: name })
      await besideAnother(context, filtered, other)
      await onPageTwo(context, filtered)
    }),
}

/** Makes another record beside those of the value, and looks for it on the second page. */
async function onPageTwo(context: Context, filtered: Filtered): Promise<void> {
  const { name, value, resource } = filtered
  const { list, create } = resource
  if (!isPaged(list) || !(await madeOtherwise(context, filtered))) return
  // One of the value before it, which the first page has, and one behind.
  await context.accepted(create.id, { set: membersOf(filtered) })
  const first = await context.send(list, { query: { [name]: value, limit: '1' } })
  const { next_cursor } = nodeOf(first.body)
  if (typeof next_cursor !== 'string') return
  const query = { [name]: value, limit: '20', cursor: next_cursor }
  const second = await context.send(list, { query })
  // Whether a cursor goes with a filter is no matter of another contract.
  if (!isSuccess(second) && !context.contract.questions.has('paging')) return context.inconclusive()
  context.expect(second, mixedUp(second, filtered), { about: `${name} page` })
}

function mixedUp(second: Exchange, { name, value }: Filtered): string | undefined {
  if (!isSuccess(second))
    return `Expected the second page of those with the ${name} asked for, got ${second.response.status}.`
  return listIn(second.body).some((it) => valueIn(it, name) !== value)
    ? `Expected only records with the ${name} asked for on the second page too, got another.`
    : undefined
}

/** Ends the record, or makes one of another payer, so that it has another value; whether that could be done. */
async function madeOtherwise(
  context: Context,
  { name, value, resource, created }: Filtered,
): Promise<boolean> {
  const { create, cancel } = resource
  if (nodeOf(nodeOf(created.body).payer)[name] === value) {
    const [other] = OTHERS.filter((it) => it !== value)
    const made = await context.accepted(create.id, { set: { [`/payer/${name}`]: other } })
    return made !== undefined && valueIn(made.body, name) === other
  }
  const ended = cancel && (await doStep(context, cancel, created))
  return ended !== undefined && isSuccess(ended) && valueIn(ended.body, name) !== value
}

/** Documents of two persons. */
const OTHERS = ['52998224725', '11144477735']

/** The member that gives a new record the value, where the example may give it another. */
function membersOf({ name, value, created }: Filtered): Readonly<Record<string, unknown>> {
  return nodeOf(nodeOf(created.body).payer)[name] === value ? { [`/payer/${name}`]: value } : {}
}

/** Filters by a value that records have and one that they have not: both have to hold. */
async function besideAnother(
  context: Context,
  { name, resource: { list }, created }: Filtered,
  other: string,
): Promise<void> {
  const names = list.queryParameters.map((it) => it.name).filter((it) => it !== name)
  for (const second of names) {
    const value = valueIn(created.body, second)
    if (value === undefined) continue
    const exchange = await context.send(list, { query: { [name]: other, [second]: value } })
    if (!isSuccess(exchange)) {
      context.inconclusive()
      continue
    }
    const isMixed = listIn(exchange.body).some((it) => valueIn(it, name) !== other)
    const message = `Expected both ${name} and ${second} to filter, and one of them does not.`
    context.expect(exchange, isMixed ? message : undefined, { about: `${name} ${second}` })
  }
}
