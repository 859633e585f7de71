import fc from 'fast-check'
import type { Law } from '../law.ts'
import type { OperationView } from '../run/contract.ts'
import type { Exchange } from '../run/exchange.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

/** Requests of one operation at most, valid and broken each. */
const RUNS = 2_000

/** Random requests of the schema's own; what fails is shrunk to the smallest that does. */
export const randomRequests: Law = {
  id: 'random-requests',
  phase: 'random',
  title: 'Whatever a schema allows is not refused as breaking it, and whatever breaks it is.',
  advice: 'Handle the request that is shown, which is the smallest that was found.',
  run: async (scene) => {
    const views = scene.contract.operations.filter(
      (it) => it.bodyPointer !== undefined && scene.isAsked(it) && scene.may(it),
    )
    const each = scene.timeMs / Math.max(1, views.length * 2)
    for (const view of views) {
      const pointer = view.bodyPointer ?? ''
      await tryAll(scene, view, scene.schemas.arbitraryOf(pointer), each, ({ reply }) =>
        reply.status === 400 || reply.status >= 500
          ? `Expected a valid request to be understood, got ${reply.status}.`
          : undefined,
      )
      await tryAll(
        scene,
        view,
        scene.schemas.brokenArbitraryOf(pointer)?.map(({ body }) => body),
        each,
        (exchange) =>
          isSuccess(exchange) || exchange.reply.status >= 500
            ? `Expected a request that breaks its schema to be refused, got ${exchange.reply.status}.`
            : undefined,
      )
    }
  },
}

async function tryAll(
  scene: Scene,
  view: OperationView,
  bodies: fc.Arbitrary<unknown> | undefined,
  ms: number,
  judge: (exchange: Exchange) => string | undefined,
): Promise<void> {
  const path = Object.fromEntries(
    view.pathParameters.map(({ name, example }) => [name, String(example ?? name)]),
  )
  if (!bodies) return
  let last: { exchange: Exchange; message: string } | undefined
  const property = fc.asyncProperty(bodies, async (body) => {
    const exchange = await scene.send(view, { path, body })
    const message = judge(exchange)
    if (message === undefined) scene.held()
    else last = { exchange, message }
    return message === undefined
  })
  const seed = Math.floor(scene.random() * 2 ** 31)
  await fc.check(property, {
    seed,
    numRuns: RUNS,
    interruptAfterTimeLimit: ms,
    markInterruptAsFailure: false,
  })
  // Shrinking ends with the smallest that failed.
  if (last)
    scene.broken(last.exchange, {
      operation: view.id,
      contract: view.bodyPointer ?? '',
      message: last.message,
      question: 'bounds',
    })
}
