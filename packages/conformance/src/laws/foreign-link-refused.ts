import type { Law } from '../law.ts'
import { expectRefusal } from '../run/refusal.ts'
import { isSuccess } from '../run/scene.ts'

/** Records that nobody creates here, as users: another partner's answer names them, and this one asks for them. */
export const foreignLinkRefused: Law = {
  id: 'foreign-link-refused',
  phase: 'authorization',
  identity: 'other',
  stateful: true,
  atStake: true,
  title: "An id that another partner's answer gave leads to nothing.",
  advice: 'Look records up by their owner and their id, and answer 404.',
  run: async (scene) => {
    const { contract, maker } = scene
    const links = contract.links.filter(({ from, to }) => {
      const [source, target] = [contract.operation(from), contract.operation(to)]
      const tellsApart = source.scheme !== undefined && target.scheme !== undefined
      return (
        source.method === 'GET' && from !== to && tellsApart && scene.isAsked(target) && scene.may(target)
      )
    })
    await scene.each(links, async (link) => {
      const source = await scene.accepted(link.from, { who: 'other' })
      if (!source) return scene.masked()
      const input = maker.inputBy(link, source)
      if (JSON.stringify(input).includes('undefined')) return scene.masked()
      const target = contract.operation(link.to)
      if (!isSuccess(await scene.send(target, input, { who: 'other' }))) return scene.masked()
      const exchange = await scene.send(target, input)
      const message = `Expected a refusal of what only another partner knows, got ${exchange.reply.status}.`
      expectRefusal(scene, exchange, message, { also: [404] })
    })
  },
}
