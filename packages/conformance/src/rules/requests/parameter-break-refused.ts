import type { Context } from '../../engine/context.ts'
import { expectRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { type ParameterCase, parameterBreaks, textIn } from '../../generate/parameters.ts'
import type { Exchange, Input } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { ParameterView } from '../../model/parameter-views.ts'
import { withBase } from '../valid-requests.ts'

export const parameterBreakRefused: Rule = {
  id: 'parameter-break-refused',
  phase: 'invalid requests',
  cites: 'contract',
  title: 'A query parameter that breaks its schema is refused, and a request without a required one.',
  advice: 'Refuse the request with 400, or widen the schema of the parameter.',
  run: (context) =>
    withBase(context, async (view, base) => {
      for (const parameter of view.queryParameters) {
        const { name } = parameter
        await context.each(parameterBreaks(context.schemas, parameter), async (it) => {
          const query = { ...base.query, [name]: it.value }
          judge(context, name, it, await context.send(view, { ...base, query }))
        })
        await tryTwice(context, view, { base, parameter })
      }
      await context.each(neededHeaders(view), async (parameter) => {
        const absent = parameterBreaks(context.schemas, parameter).find(({ value }) => value === undefined)
        const without = [parameter.name.toLowerCase()]
        if (absent) judge(context, parameter.name, absent, await context.send(view, base, { without }))
      })
    }),
}

function neededHeaders({ parameters }: OperationView): ParameterView[] {
  return parameters.filter((it) => it.in === 'header' && it.isRequired)
}

function judge(context: Context, name: string, { value, change }: ParameterCase, exchange: Exchange): void {
  const { status } = exchange.response
  const { contract, keyword, question } = change
  if (status >= 500 || status === 0) context.skipped(exchange)
  else if (status === 400 || status === 422) context.refused(contract, keyword, question)
  else if (!isSuccess(exchange)) context.inconclusive()
  else {
    const sent = value === undefined ? `without ${name}` : `with ${name}=${JSON.stringify(value)}`
    const message = `A request ${sent} was accepted (${status}); the contract does not allow that (${keyword}).`
    context.expect(exchange, message, { contract, about: keyword, question })
  }
}

interface Tried {
  readonly base: Input
  readonly parameter: ParameterView
}

/** A parameter whose value is one text cannot come twice: which of them counts, nobody says. */
async function tryTwice(context: Context, view: OperationView, { base, parameter }: Tried): Promise<void> {
  const { name, pointer, kind, example } = parameter
  const [failed] = parameterBreaks(context.schemas, parameter)
  if (!failed || kind !== 'text' || example === undefined) return
  const text = textIn(context.schemas, parameter)
  const exchange = await context.send(view, { ...base, query: { ...base.query, [name]: [text, text] } })
  const message = `Expected ${name} to be refused twice in one query, got ${exchange.response.status}.`
  const { question } = failed.change
  // No norm says so: where the contract has no answer of ours either, that it is taken is news and no broken fact.
  expectRefusal(context, exchange, message, {
    contract: pointer,
    about: 'twice',
    ...(question === undefined ? { cites: TWICE } : { question }),
  })
}

/** No standard says what a parameter means that comes twice (RFC 3986, section 3.4). */
const TWICE = { standard: 'RFC 3986, section 3.4' } as const
