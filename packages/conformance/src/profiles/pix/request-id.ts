import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { headerOf } from '../../model/http.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { sendableOperations } from '../../rules/common/valid-requests.ts'

export const requestId: Rule = {
  id: 'request-id',
  phase: 'responses',
  cites: { convention: 'refusals' },
  title: 'Every response has its own x-request-id, and an error repeats it in `request_id`.',
  advice: 'Create the id when the request arrives, and send it with every response.',
  judgeResponse: ({ view, response, body, request }, { document }) => {
    if (response.status === 0 || !hasHeader(document.root)) return undefined
    const id = headerOf(response.headers, 'x-request-id')
    const place = { operation: view?.id, contract: view?.pointer ?? '' }
    if (!id) return [{ ...place, message: 'Expected x-request-id, got none.', about: 'header' }]
    if (response.status < 400 || request.method === 'HEAD' || nodeOf(body).request_id === id) return []
    return [{ ...place, message: 'Expected "request_id" to be x-request-id, got another.', about: 'body' }]
  },
  run: async (context) => {
    // A mock returns the same example each time.
    if (context.target === 'mock' || !hasHeader(context.contract.document.root)) return
    await context.each(sendableOperations(context), async (view) => {
      const responses = await responsesOf(context, view)
      const [first] = responses
      if (!first) return context.inconclusive()
      const ids = responses.map(({ response }) => headerOf(response.headers, 'x-request-id')).filter(Boolean)
      const isOwn = new Set(ids).size === ids.length
      const message = `Expected another x-request-id for each response, got ${ids[0]} again.`
      context.expect(first, isOwn ? undefined : message, { about: 'again' })
    })
  },
}

/** Two successes of an operation, and two refusals. */
async function responsesOf(context: Context, view: OperationView): Promise<Exchange[]> {
  const sent = [await context.accepted(view.id), await context.accepted(view.id)]
  const accepted = sent.filter((it) => it !== undefined)
  const [first] = accepted
  if (!first || view.scheme === undefined) return accepted
  const refused = () => context.send(view, first.input, { identity: null })
  return [...accepted, await refused(), await refused()]
}

const known = new WeakMap<object, boolean>()

/** Whether the contract declares the header; cached, since every response needs it. */
function hasHeader(root: object): boolean {
  const has = known.get(root) ?? JSON.stringify(root).includes('"x-request-id"')
  known.set(root, has)
  return has
}
