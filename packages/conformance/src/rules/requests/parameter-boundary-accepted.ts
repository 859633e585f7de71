import type { Rule } from '../../engine/rule.ts'
import { parameterBoundaries } from '../../generate/parameters.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { ParameterView } from '../../model/parameter-views.ts'
import { withBase } from '../valid-requests.ts'

export const parameterBoundaryAccepted: Rule = {
  id: 'parameter-boundary-accepted',
  phase: 'valid requests',
  cites: 'contract',
  title: 'A query parameter is accepted up to the very edge of its schema.',
  advice: 'Accept the value, or narrow the schema of the parameter.',
  run: (context) =>
    withBase(context, async (view, base) => {
      for (const parameter of view.queryParameters) {
        const { name } = parameter
        if (name === 'cursor') continue
        await context.each(parameterBoundaries(context.schemas, parameter), async ({ value, change }) => {
          const exchange = await context.send(view, { ...base, query: { ...base.query, [name]: value } })
          if (isSuccess(exchange)) return context.kept(change.contract, change.keyword, change.question)
          if (exchange.response.status !== 400) return context.inconclusive()
          const message = `A request with ${name}=${JSON.stringify(value)} was refused (400); the contract allows it.`
          context.expect(exchange, message, {
            contract: change.contract,
            about: change.keyword,
            question: change.question,
          })
        })
      }
      await context.each(pairsOf(view.queryParameters), async (query) => {
        const exchange = await context.send(view, { ...base, query: { ...base.query, ...query } })
        if (isSuccess(exchange)) return context.passed()
        if (exchange.response.status !== 400) return context.inconclusive()
        const message = `Expected ${Object.keys(query).join(' and ')} to be accepted together, got 400.`
        context.expect(exchange, message, { about: 'pair' })
      })
    }),
}

/** The examples of each two parameters; a cursor goes with the query that it is of. */
function pairsOf(parameters: readonly ParameterView[]): Record<string, string>[] {
  const known = parameters.filter(
    ({ name, kind, example }) => name !== 'cursor' && kind === 'text' && example !== undefined,
  )
  return known.flatMap((one, i) =>
    known
      .slice(i + 1)
      .map((other) => ({ [one.name]: String(one.example), [other.name]: String(other.example) })),
  )
}
