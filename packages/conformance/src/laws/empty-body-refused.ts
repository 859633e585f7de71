import type { Law } from '../law.ts'
import { withBase } from '../run/bases.ts'
import { isRefusal } from '../run/refusal.ts'

export const emptyBodyRefused: Law = {
  id: 'empty-body-refused',
  phase: 'http',
  title: 'An operation that takes a body refuses a request without one.',
  advice: 'Answer 400 when the body is missing, or is null, a list or text where an object is asked for.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      if (view.bodyPointer === undefined) return
      const bodies = view.isBodyRequired ? ['', ...NO_OBJECTS] : NO_OBJECTS
      await scene.each(bodies, async (body) => {
        const exchange = await scene.send(view, base, { raw: { body } })
        const { status } = exchange.reply
        if (isRefusal(exchange)) return scene.held()
        if (status >= 400 && status < 500) return scene.masked()
        scene.expect(exchange, messageOf(body, status), { about: body })
      })
    }),
}

const NO_OBJECTS = ['null', '[]', '""']

function messageOf(body: string, status: number): string {
  const request = body === '' ? 'A request without a body' : `A request whose body is ${body}`
  const answered =
    status >= 200 && status < 300 ? `was accepted (${status})` : `was answered ${status || 'nothing'}`
  return `${request} ${answered}; it has to be refused, as the operation takes a body of JSON.`
}
