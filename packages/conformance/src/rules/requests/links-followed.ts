import { isRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { LINK_VALUE_MISSING } from '../../generate/link-values.ts'
import { isSuccess } from '../../model/exchange.ts'
import { refusalCause } from './refusal-cause.ts'

/** What an answer gives for the next request is good for it: else no program could go from one to the other. */
export const linksFollowed: Rule = {
  id: 'links-followed',
  phase: 'valid requests',
  cites: 'contract',
  isTraffic: true,
  stateful: true,
  title: 'What a link of the contract takes from an answer makes a request that is accepted.',
  advice: 'Accept the value where the link puts it, or correct the link.',
  run: async (context) => {
    const { contract, builder } = context
    const usable = contract.links.filter(({ from, to }) => {
      const [source, target] = [contract.operation(from), contract.operation(to)]
      return context.isIncluded(target) && context.canSend(source) && context.canSend(target)
    })
    await context.each(usable, async (link) => {
      const source = await context.accepted(link.from)
      if (!source) return context.inconclusive()
      const input = builder.inputFromLink(link, source)
      // A link may have nothing to take, as the last page has no next one.
      if (!input) return context.inconclusive(LINK_VALUE_MISSING)
      const target = contract.operation(link.to)
      const exchange = await context.send(target, input)
      context.linkFollowed(link.pointer)
      const message = `Expected the request that a link of ${link.from} makes to be accepted, got ${exchange.response.status}.`
      // A rule of the business may forbid it, as paying oneself.
      if ([409, 422].includes(exchange.response.status)) return context.inconclusive()
      // What these credentials may do, only our own sandbox lets us know.
      if (exchange.response.status === 403 && !context.clock.isControlled && target.statuses.includes('403'))
        return context.inconclusive()
      // What a list showed may have been removed since, by whoever works beside this run; what is done later is not there yet.
      const mayLack = contract.operation(link.from).method === 'GET' || source.response.status === 202
      if (exchange.response.status === 404 && mayLack) return context.inconclusive()
      const cause = isRefusal(exchange) ? await refusalCause(context, exchange) : {}
      context.expect(exchange, isSuccess(exchange) ? undefined : message, {
        ...(link.pointer === '' ? { cites: INFERRED } : { contract: link.pointer, ...cause }),
        about: link.pointer || link.from,
      })
    })
  },
}

/** The contract does not declare the link: its paths and names suggest it. */
const INFERRED = { standard: 'common practice: the id of a response is good for the paths below it' } as const
