import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { type Resource, resourcesOf } from '../../model/resources.ts'
import { differingMember } from '../records/differing-member.ts'
import { seen } from '../records/observed.ts'
import { anyStep, doStep, isOf, listIn } from '../records/records.ts'
import { madeUnusual, oddAmounts } from '../records/unusual-values.ts'
import { itemOf } from '../records/whole-list.ts'

export const listEqualsRead: Rule = {
  id: 'list-equals-read',
  phase: 'lists',
  cites: 'contract',
  stateful: true,
  title: 'A record is the same on its list, alone, and in the answer to its creation.',
  advice: 'Show a record by one function, whichever operation shows it.',
  run: async (context) => {
    const resources = resourcesOf(context.contract).filter(({ create }) => context.isAsked(create))
    await context.each(resources, (resource) => tryCreated(context, resource))
    await readListed(context)
  },
}

/** Makes a record whose values are no defaults, and compares it with its list. */
async function tryCreated(context: Context, resource: Resource): Promise<void> {
  const { create, list, read } = resource
  const step = anyStep(resource)
  if (!list || !step || !context.may(create)) return
  const created = await context.accepted(create.id, { set: oddAmounts(create.examples[0]) })
  if (!created) return context.inconclusive()
  await madeUnusual(context, resource, created)
  const alone = read ? await doStep(context, read, created) : created
  const listed = await itemOf(context, resource, isOf(step, created))
  if (!listed || !isSuccess(alone)) return context.inconclusive()
  const moving = read ? (await seen(context, read, created)).moving : []
  isSame(context, alone, { shown: listed, by: list.id, contract: list.pointer, moving })
}

/** Follows the links that lead from a list to one of its records. */
async function readListed(context: Context): Promise<void> {
  const { contract, builder } = context
  const links = contract.links.filter(({ from, to, parameters }) => {
    const [list, read] = [contract.operation(from), contract.operation(to)]
    const isRead = list.method === 'GET' && read.method === 'GET' && read.pathParameters.length > 0
    return isRead && Object.keys(parameters).length === 1 && context.isAsked(read)
  })
  await context.each(links, async (link) => {
    const list = await context.accepted(link.from)
    const input = list && builder.inputBy(link, list)
    const [id = ''] = Object.values(input?.path ?? {})
    const item = listIn(list?.body).find((it) => Object.values(nodeOf(it)).includes(id))
    if (!input || !item) return context.inconclusive()
    const read = await context.send(contract.operation(link.to), input)
    if (!isSuccess(read)) return context.inconclusive()
    isRepeated(context, read, id)
    isSame(context, read, { shown: item, by: link.from })
    isOfOne(context, read, { list: list?.body, by: link.from })
  })
}

/** The id is said where the record is, or beside it: which member beside it says so is an answer of the contract. */
function isRepeated(context: Context, read: Exchange, id: string): void {
  const isIt = Object.values(nodeOf(read.body)).includes(id)
  const isBeside = recordIn(read.body, id) !== read.body
  if (isBeside && !context.contract.questions.has('user-relation')) return
  context.expect(read, isIt ? undefined : 'Expected the id that was asked for, got another.', {
    about: 'id',
    ...(isBeside && { question: 'user-relation' }),
  })
}

/** Whose records they are is said beside both. */
function isOfOne(context: Context, read: Exchange, { list, by }: { list: unknown; by: string }): void {
  const [one, other] = [nodeOf(list).partner_id, nodeOf(read.body).partner_id]
  if (one === undefined || other === undefined) return
  const message = `Expected the "partner_id" that ${by} shows, got another.`
  context.expect(read, one === other ? undefined : message, { about: 'partner_id' })
}

/** The record of an id: what is shown, or a member of it. */
function recordIn(body: unknown, id: unknown): unknown {
  if (id === undefined) return body
  return Object.values(nodeOf(body)).find((it) => nodeOf(it).id === id) ?? body
}

interface Shown {
  readonly shown: unknown
  readonly by: string
  readonly contract?: string
  /** Members that change by themselves. */
  readonly moving?: readonly string[]
}

function isSame(context: Context, exchange: Exchange, { shown, by, contract, moving }: Shown): void {
  const name = differingMember(shown, recordIn(exchange.body, nodeOf(shown).id), moving)
  context.expect(exchange, name && `Expected "${name}" as ${by} shows it, got another value.`, {
    about: by,
    ...(contract !== undefined && { operation: by, contract }),
  })
}
