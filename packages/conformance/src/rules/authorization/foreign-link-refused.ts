import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { LINK_VALUE_MISSING } from '../../generate/link-values.ts'
import { nodeOf } from '../../model/document.ts'
import { type Exchange, type Input, isSuccess } from '../../model/exchange.ts'
import { itemsIn } from '../lists/items.ts'

/** Covers records that the API cannot create, such as users: ids come from responses to the other partner. */
export const foreignLinkRefused: Rule = {
  id: 'foreign-link-refused',
  phase: 'authorization',
  cites: 'contract',
  requires: 'other',
  stateful: true,
  impact: 'high',
  title:
    'A request with an id from a response to another partner is refused, alone or together with own ids.',
  advice: 'Look up records by owner and id, and return 404.',
  run: async (context) => {
    const { contract, builder } = context
    const links = contract.links.filter(({ from, to }) => {
      const [source, target] = [contract.operation(from), contract.operation(to)]
      const hasSecurity = source.scheme !== undefined && target.scheme !== undefined
      return (
        source.method === 'GET' &&
        from !== to &&
        hasSecurity &&
        context.isIncluded(target) &&
        context.canSend(target)
      )
    })
    await context.each(links, async (link) => {
      const [source, own] = [
        await context.accepted(link.from, { identity: 'other' }),
        await context.accepted(link.from, { identity: 'partner' }),
      ]
      if (!source) return context.inconclusive()
      const foreign = builder.inputFromLink(link, source)
      if (!foreign) return context.inconclusive(LINK_VALUE_MISSING)
      const target = contract.operation(link.to)
      const theirs = await context.send(target, foreign, { identity: 'other' })
      if (!isSuccess(theirs)) return context.inconclusive()
      const mine = own && builder.inputFromLink(link, own)
      if (mine && target.method === 'GET') await expectSeparate(context, theirs, mine)
      for (const input of [foreign, ...(mine ? mixedIds(mine, foreign) : [])])
        await tryInput(context, link.to, input)
    })
  },
}

/** Records below a record of one partner are not below a record of another one. */
async function expectSeparate(context: Context, theirs: Exchange, input: Input): Promise<void> {
  if (theirs.view === undefined) return
  const mine = await context.send(theirs.view, input)
  if (!isSuccess(mine)) return context.inconclusive()
  const ids: unknown[] = itemsIn(theirs.body).flatMap((it) => nodeOf(it).id ?? [])
  const isShared = itemsIn(mine.body).some((it) => ids.includes(nodeOf(it).id))
  const message = 'Expected no record of another partner in the response, got one.'
  context.expect(mine, isShared ? message : undefined, { about: 'beside' })
}

async function tryInput(context: Context, to: string, input: Input): Promise<void> {
  const exchange = await context.send(context.contract.operation(to), input)
  const { status } = exchange.response
  if (isSuccess(exchange)) {
    const message = `Expected the id of another partner's record to be refused, got ${status}.`
    return void context.expect(exchange, message)
  }
  // Another status reveals that the record exists. That this is forbidden is an assumption.
  const message = `Expected 404 for the id of another partner's record, got ${status}.`
  context.expect(exchange, status === 404 ? undefined : message, {
    about: 'told',
    cites: { convention: 'owners' },
  })
}

/** Requests with own ids and one id of another partner: all ids must have one owner. */
function mixedIds(own: Input, foreign: Input): Input[] {
  const theirs = nodeOf(foreign.body)
  const names = Object.keys(nodeOf(own.body)).filter((name) => theirs[name] !== nodeOf(own.body)[name])
  if (names.length < 2) return []
  return names.map((name) => ({ ...own, body: { ...nodeOf(own.body), [name]: theirs[name] } }))
}
