import type { Scene } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Law } from '../../engine/rule.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { type Input, pathOf } from '../../transport/exchange.ts'
import { withBase } from '../valid-requests.ts'

export const emptyBodyRefused: Law = {
  id: 'empty-body-refused',
  phase: 'http',
  title: 'An operation that takes a body refuses a request without one.',
  advice: 'Answer 400 when the body is missing, or is null, a list or text where an object is asked for.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      if (view.bodyPointer === undefined) return
      const bodies = ['', 'null', '[]', '""'].filter((body) => !isAllowed(scene, view, base, body))
      await scene.each(bodies, async (body) => {
        const exchange = await scene.send(view, base, { raw: { body } })
        const { status } = exchange.reply
        if (isRefusal(exchange)) return scene.held()
        if (status >= 400 && status < 500) return scene.masked()
        scene.expect(exchange, messageOf(body, status), { about: body })
      })
    }),
}

/** Whether the contract takes such a body: one that may be left out, or a schema that is so wide. */
function isAllowed({ contract }: Scene, view: OperationView, base: Input, body: string): boolean {
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
