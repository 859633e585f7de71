import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { LINK_VALUE_MISSING } from '../../generate/link-values.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange, Input } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { itemsIn } from '../lists/walk.ts'

/** Records that nobody creates here, as users: another partner's answer names them, and this one asks for them. */
export const foreignLinkRefused: Rule = {
  id: 'foreign-link-refused',
  phase: 'authorization',
  cites: 'contract',
  requires: 'other',
  stateful: true,
  impact: 'high',
  title: "An id that another partner's answer gave leads to nothing, alone or beside one's own.",
  advice: 'Look records up by their owner and their id, and answer 404.',
  run: async (context) => {
    const { contract, builder } = context
    const links = contract.links.filter(({ from, to }) => {
      const [source, target] = [contract.operation(from), contract.operation(to)]
      const tellsApart = source.scheme !== undefined && target.scheme !== undefined
      return (
        source.method === 'GET' &&
        from !== to &&
        tellsApart &&
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
      if (mine && target.method === 'GET') await isApart(context, theirs, mine)
      for (const input of [foreign, ...(mine ? mixed(mine, foreign) : [])])
        await tryInput(context, link.to, input)
    })
  },
}

/** What belongs to the record of one partner does not to that of another. */
async function isApart(context: Context, theirs: Exchange, input: Input): Promise<void> {
  if (theirs.view === undefined) return
  const mine = await context.send(theirs.view, input)
  if (!isSuccess(mine)) return context.inconclusive()
  const ids: unknown[] = itemsIn(theirs.body).flatMap((it) => nodeOf(it).id ?? [])
  const isShared = itemsIn(mine.body).some((it) => ids.includes(nodeOf(it).id))
  const message = 'Expected nothing beside a record that is of the record of another partner, and it is.'
  context.expect(mine, isShared ? message : undefined, { about: 'beside' })
}

async function tryInput(context: Context, to: string, input: Input): Promise<void> {
  const exchange = await context.send(context.contract.operation(to), input)
  const { status } = exchange.response
  if (isSuccess(exchange)) {
    const message = `Expected a refusal of what only another partner knows, got ${status}.`
    return void context.expect(exchange, message)
  }
  // Another refusal tells that it is there; that it must not is an answer of ours.
  const isHidden = status === 404 || context.contract.conventions.refusals === undefined
  const message = `Expected 404 for what only another partner knows, got ${status}.`
  context.expect(exchange, isHidden ? undefined : message, {
    about: 'told',
    cites: { convention: 'refusals' },
  })
}

/** One's own ids, of which one is another partner's: a pair has to be of one owner. */
function mixed(own: Input, foreign: Input): Input[] {
  const theirs = nodeOf(foreign.body)
  const names = Object.keys(nodeOf(own.body)).filter((name) => theirs[name] !== nodeOf(own.body)[name])
  if (names.length < 2) return []
  return names.map((name) => ({ ...own, body: { ...nodeOf(own.body), [name]: theirs[name] } }))
}
