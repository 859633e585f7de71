import { isRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { LINK_VALUE_MISSING } from '../../generate/link-values.ts'
import { isSuccess } from '../../model/exchange.ts'
import { refusalCause } from '../refusals/refusal-cause.ts'

/** Generated clients and workflows follow links, so the values must be accepted. */
export const linksFollowed: Rule = {
  id: 'links-followed',
  phase: 'valid requests',
  cites: 'contract',
  isTraffic: true,
  stateful: true,
  title: 'A request with the values that a link takes from a response is accepted.',
  advice: 'Accept the value, or correct the link in the contract.',
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
      // The response may lack the value: the last page has no cursor.
      if (!input) return context.inconclusive(LINK_VALUE_MISSING)
      const target = contract.operation(link.to)
      const exchange = await context.send(target, input)
      context.linkFollowed(link.pointer)
      const message = `Expected a request with the values of ${link.from} to be accepted, got ${exchange.response.status}.`
      // A business rule may forbid the request, such as a payment to oneself.
      if ([409, 422].includes(exchange.response.status)) return context.inconclusive()
      // Only this project's sandbox is known to allow the operation with these credentials.
      if (exchange.response.status === 403 && !context.clock.isControlled && target.statuses.includes('403'))
        return context.inconclusive()
      // Others may have removed a listed record meanwhile, and a 202 may not have created its record yet.
      const canBeMissing = contract.operation(link.from).method === 'GET' || source.response.status === 202
      if (exchange.response.status === 404 && canBeMissing) return context.inconclusive()
      const cause = isRefusal(exchange) ? await refusalCause(context, exchange) : {}
      context.expect(exchange, isSuccess(exchange) ? undefined : message, {
        ...(link.pointer === '' ? { cites: INFERRED } : { contract: link.pointer, ...cause }),
        about: link.pointer || link.from,
      })
    })
  },
}

/** For links that paths and names suggest, and the contract does not declare. */
const INFERRED = { standard: 'common practice: the id of a response is valid in the paths below it' } as const
