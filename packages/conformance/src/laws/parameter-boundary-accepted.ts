import type { Law } from '../law.ts'
import { withBase } from '../run/bases.ts'
import { parameterBoundaries } from '../run/parameters.ts'
import { isSuccess } from '../run/scene.ts'

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
          if (isSuccess(exchange)) return scene.kept(change.contract, change.keyword, change.question)
          if (exchange.reply.status !== 400) return scene.masked()
          const message = `Expected ${name}=${JSON.stringify(value)} to be accepted, got 400.`
          scene.expect(exchange, message, {
            contract: change.contract,
            about: change.keyword,
            question: change.question,
          })
        })
      }
    }),
}
