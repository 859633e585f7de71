import type { Law } from '../law.ts'
import { withBase } from '../run/bases.ts'
import { parameterBreaks } from '../run/parameters.ts'
import { isSuccess } from '../run/scene.ts'

export const parameterBreakRefused: Law = {
  id: 'parameter-break-refused',
  phase: 'twins',
  title: 'A query parameter that breaks its schema is refused.',
  advice: 'Refuse the request with 400, or widen the schema of the parameter.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      for (const parameter of view.queryParameters) {
        const { name } = parameter
        await scene.each(parameterBreaks(scene, parameter), async ({ value, change }) => {
          const exchange = await scene.send(view, { ...base, query: { [name]: value } })
          const { status } = exchange.reply
          if (status >= 500 || status === 0) return scene.passedOver(exchange)
          if (status >= 400) return scene.refused(change.contract, change.keyword, change.question)
          if (!isSuccess(exchange)) return scene.masked()
          const message = `Expected ${name}=${JSON.stringify(value)} to be refused, got ${status}.`
          scene.expect(exchange, message, {
            contract: change.contract,
            about: change.keyword,
            question: change.question,
          })
        })
      }
    }),
}
