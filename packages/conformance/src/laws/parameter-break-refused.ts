import type { Law } from '../law.ts'
import { withBase } from '../run/bases.ts'
import { type Input, pathOf } from '../run/exchange.ts'
import type { OperationView, ParameterView } from '../run/operation-view.ts'
import { parameterBreaks } from '../run/parameters.ts'
import { expectRefusal } from '../run/refusal.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

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
          if (status === 400 || status === 422)
            return scene.refused(change.contract, change.keyword, change.question)
          if (!isSuccess(exchange)) return scene.masked()
          const message = `A request with ${name}=${JSON.stringify(value)} was accepted (${status}); the contract does not allow that (${change.keyword}).`
          scene.expect(exchange, message, {
            contract: change.contract,
            about: change.keyword,
            question: change.question,
          })
        })
        await tryTwice(scene, view, { base, parameter })
      }
    }),
}

interface Tried {
  readonly base: Input
  readonly parameter: ParameterView
}

/** A parameter whose value is one text cannot come twice: which of them counts, nobody says. */
async function tryTwice(scene: Scene, view: OperationView, { base, parameter }: Tried): Promise<void> {
  const { name, pointer, example } = parameter
  const [broken] = parameterBreaks(scene, parameter)
  if (!broken || example === undefined) return
  const query = { [name]: String(example) }
  const path = `${pathOf(view, { ...base, query })}&${new URLSearchParams(query)}`
  const exchange = await scene.send(view, { ...base, query }, { raw: { path } })
  const message = `Expected ${name} to be refused twice in one query, got ${exchange.reply.status}.`
  const { question } = broken.change
  // No norm says so: where the contract has no answer of ours either, that it is taken is news and no broken fact.
  const isAddition = question === undefined
  expectRefusal(scene, exchange, message, { contract: pointer, about: 'twice', question, isAddition })
}
