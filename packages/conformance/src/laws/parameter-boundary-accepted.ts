import type { Law } from '../law.ts'
import { withBase } from '../run/bases.ts'
import { parameterBoundaries } from '../run/parameters.ts'

export const parameterBoundaryAccepted: Law = {
  id: 'parameter-boundary-accepted',
  phase: 'examples and boundaries',
  title: 'A query parameter is accepted up to the very edge of its schema.',
  advice: 'Accept the value, or narrow the schema of the parameter.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      for (const parameter of view.queryParameters) {
        const { name } = parameter
        if (name === 'cursor') continue
        await scene.each(parameterBoundaries(scene, parameter), async ({ value, change }) => {
          const exchange = await scene.send(view, { ...base, query: { [name]: value } })
          if (exchange.reply.status !== 400)
            return scene.kept(change.contract, change.keyword, change.question)
          const message = `A request with ${name}=${JSON.stringify(value)} was refused (400); the contract allows it.`
          scene.expect(exchange, message, {
            contract: change.contract,
            about: change.keyword,
            question: change.question,
          })
        })
      }
    }),
}
