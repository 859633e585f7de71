import { isSuccess, type Scene } from '../../engine/context.ts'
import { expectRefusal } from '../../engine/refusal.ts'
import type { Law } from '../../engine/rule.ts'
import { type ParameterCase, parameterBreaks, textIn } from '../../generate/parameters.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { ParameterView } from '../../model/parameter-views.ts'
import type { Exchange, Input } from '../../transport/exchange.ts'
import { withBase } from '../valid-requests.ts'

export const parameterBreakRefused: Law = {
  id: 'parameter-break-refused',
  phase: 'twins',
  title: 'A query parameter that breaks its schema is refused, and a request without a required one.',
  advice: 'Refuse the request with 400, or widen the schema of the parameter.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      for (const parameter of view.queryParameters) {
        const { name } = parameter
        await scene.each(parameterBreaks(scene, parameter), async (it) => {
          const query = { ...base.query, [name]: it.value }
          judge(scene, name, it, await scene.send(view, { ...base, query }))
        })
        await tryTwice(scene, view, { base, parameter })
      }
      await scene.each(neededHeaders(view), async (parameter) => {
        const absent = parameterBreaks(scene, parameter).find(({ value }) => value === undefined)
        const without = [parameter.name.toLowerCase()]
        if (absent) judge(scene, parameter.name, absent, await scene.send(view, base, { without }))
      })
    }),
}

function neededHeaders({ parameters }: OperationView): ParameterView[] {
  return parameters.filter((it) => it.in === 'header' && it.isRequired)
}

function judge(scene: Scene, name: string, { value, change }: ParameterCase, exchange: Exchange): void {
  const { status } = exchange.reply
  const { contract, keyword, question } = change
  if (status >= 500 || status === 0) scene.passedOver(exchange)
  else if (status === 400 || status === 422) scene.refused(contract, keyword, question)
  else if (!isSuccess(exchange)) scene.masked()
  else {
    const sent = value === undefined ? `without ${name}` : `with ${name}=${JSON.stringify(value)}`
    const message = `A request ${sent} was accepted (${status}); the contract does not allow that (${keyword}).`
    scene.expect(exchange, message, { contract, about: keyword, question })
  }
}

interface Tried {
  readonly base: Input
  readonly parameter: ParameterView
}

/** A parameter whose value is one text cannot come twice: which of them counts, nobody says. */
async function tryTwice(scene: Scene, view: OperationView, { base, parameter }: Tried): Promise<void> {
  const { name, pointer, kind, example } = parameter
  const [broken] = parameterBreaks(scene, parameter)
  if (!broken || kind !== 'text' || example === undefined) return
  const text = textIn(scene, parameter)
  const exchange = await scene.send(view, { ...base, query: { ...base.query, [name]: [text, text] } })
  const message = `Expected ${name} to be refused twice in one query, got ${exchange.reply.status}.`
  const { question } = broken.change
  // No norm says so: where the contract has no answer of ours either, that it is taken is news and no broken fact.
  const isAddition = question === undefined
  expectRefusal(scene, exchange, message, { contract: pointer, about: 'twice', question, isAddition })
}
