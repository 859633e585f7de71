import type { Context } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { type Input, pathOf } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { withBase } from '../valid-requests.ts'

export const emptyBodyRefused: Rule = {
  id: 'empty-body-refused',
  phase: 'http',
  cites: 'contract',
  title: 'An operation that takes a body refuses a request without one.',
  advice: 'Answer 400 when the body is missing, or is null, a list or text where an object is asked for.',
  run: (context) =>
    withBase(context, async (view, base) => {
      if (view.bodyPointer === undefined) return
      const bodies = ['', 'null', '[]', '""'].filter((body) => !isAllowed(context, view, base, body))
      await context.each(bodies, async (body) => {
        const exchange = await context.send(view, base, { raw: { body } })
        const { status } = exchange.response
        if (isRefusal(exchange)) return context.passed()
        if (status >= 400 && status < 500) return context.inconclusive()
        context.expect(exchange, messageOf(body, status), { about: body })
      })
    }),
}

/** Whether the contract takes such a body: one that may be left out, or a schema that is so wide. */
function isAllowed({ contract }: Context, view: OperationView, base: Input, body: string): boolean {
  if (body === '') return !view.isBodyRequired
  const [path = '', query = ''] = pathOf(view, base).split('?')
  const headers = { 'content-type': view.bodyType }
  const request = { method: view.method, path, query, headers, body: JSON.parse(body) }
  return !contract.validator.validateRequest(request).some(({ place }) => place === 'body')
}

function messageOf(body: string, status: number): string {
  const request = body === '' ? 'A request without a body' : `A request whose body is ${body}`
  const answered =
    status >= 200 && status < 300 ? `was accepted (${status})` : `was answered ${status || 'nothing'}`
  return `${request} ${answered}; it has to be refused, as the operation takes a body of JSON.`
}
