import { isSuccess } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { NOTHING_TAKEN } from '../../generate/taken.ts'

/** What an answer gives for the next request is good for it: else no program could go from one to the other. */
export const linksFollowed: Law = {
  id: 'links-followed',
  phase: 'examples and boundaries',
  isTraffic: true,
  stateful: true,
  title: 'What a link of the contract takes from an answer makes a request that is accepted.',
  advice: 'Accept the value where the link puts it, or correct the link.',
  run: async (scene) => {
    const { contract, maker } = scene
    const usable = contract.links.filter(({ from, to }) => {
      const [source, target] = [contract.operation(from), contract.operation(to)]
      return scene.isAsked(target) && scene.may(source) && scene.may(target)
    })
    await scene.each(usable, async (link) => {
      const source = await scene.accepted(link.from)
      if (!source) return scene.masked()
      const input = maker.inputBy(link, source)
      // A link may have nothing to take, as the last page has no next one.
      if (!input) return scene.masked(NOTHING_TAKEN)
      const target = contract.operation(link.to)
      const exchange = await scene.send(target, input)
      scene.followed(link.pointer)
      const message = `Expected the request that a link of ${link.from} makes to be accepted, got ${exchange.reply.status}.`
      // A rule of the business may forbid it, as paying oneself.
      if ([409, 422].includes(exchange.reply.status)) return scene.masked()
      // What these credentials may do, only our own sandbox lets us know.
      if (exchange.reply.status === 403 && !scene.clock.isControlled && target.statuses.includes('403'))
        return scene.masked()
      // What a list showed may have been removed since, by whoever works beside this run; what is done later is not there yet.
      const mayLack = contract.operation(link.from).method === 'GET' || source.reply.status === 202
      if (exchange.reply.status === 404 && mayLack) return scene.masked()
      scene.expect(exchange, isSuccess(exchange) ? undefined : message, {
        contract: link.pointer,
        about: link.pointer,
      })
    })
  },
}
