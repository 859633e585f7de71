import type { Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { type Exchange, headerOf } from '../../transport/exchange.ts'

export const requestId: Law = {
  id: 'request-id',
  phase: 'every answer',
  question: 'errors',
  isOurs: true,
  title: 'Every answer is named by x-request-id, and an error repeats the name in `request_id`.',
  advice: 'Make the name when the request arrives, and send it with every answer.',
  everyAnswer: ({ view, reply, body, call }, { document }) => {
    if (reply.status === 0 || !hasHeader(document.root)) return undefined
    const id = headerOf(reply.headers, 'x-request-id')
    const place = { operation: view?.id, contract: view?.pointer ?? '' }
    if (!id) return [{ ...place, message: 'Expected x-request-id, got none.', about: 'header' }]
    if (reply.status < 400 || call.method === 'HEAD' || nodeOf(body).request_id === id) return []
    return [{ ...place, message: 'Expected "request_id" to be x-request-id, got another.', about: 'body' }]
  },
  run: async (scene) => {
    const views = scene.contract.operations.filter((view) => scene.isAsked(view) && scene.may(view))
    // A mock has one answer for all.
    if (scene.target === 'mock' || !hasHeader(scene.contract.document.root)) return
    await scene.each(views, async (view) => {
      const answers = await answersOf(scene, view)
      const [first] = answers
      if (!first) return scene.masked()
      const ids = answers.map(({ reply }) => headerOf(reply.headers, 'x-request-id')).filter(Boolean)
      const isOwn = new Set(ids).size === ids.length
      scene.expect(first, isOwn ? undefined : `Expected a name for each answer, got ${ids[0]} again.`, {
        about: 'again',
      })
    })
  },
}

/** Two successes of an operation, and two refusals. */
async function answersOf(scene: Scene, view: OperationView): Promise<Exchange[]> {
  const made = [await scene.accepted(view.id), await scene.accepted(view.id)]
  const accepted = made.filter((it) => it !== undefined)
  const [first] = accepted
  if (!first || view.scheme === undefined) return accepted
  const refused = () => scene.send(view, first.input, { who: null })
  return [...accepted, await refused(), await refused()]
}

const known = new WeakMap<object, boolean>()

/** It is asked only of a contract that has the header; looked for once, since answers are many. */
function hasHeader(root: object): boolean {
  const has = known.get(root) ?? JSON.stringify(root).includes('"x-request-id"')
  known.set(root, has)
  return has
}
