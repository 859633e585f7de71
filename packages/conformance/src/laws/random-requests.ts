import fc from 'fast-check'
import type { Law } from '../law.ts'
import type { OperationView } from '../run/contract.ts'
import type { Exchange } from '../run/exchange.ts'
import { unlessNotSent } from '../run/guard.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

/** Requests of one operation at most, valid and broken each. */
const RUNS = 2_000
/** Operations that are tried at a time. */
const LANES = 4

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
    const turns = views.map((view) => ({ view, seeds: [seedOf(scene), seedOf(scene)] as const }))
    const ms = scene.timeMs / (2 * Math.ceil(views.length / LANES))
    const lanes = Array.from({ length: LANES }, (_, lane) => turns.filter((_, i) => i % LANES === lane))
    await Promise.all(
      lanes.map(async (lane) => {
        // One at a time; what must not be sent ends with its operation.
        for (const turn of lane)
          await scene.each([turn], ({ view, seeds }) => tryBoth(scene, view, seeds, ms))
      }),
    )
  },
}

function seedOf({ random }: Scene): number {
  return Math.floor(random() * 2 ** 31)
}

async function tryBoth(scene: Scene, view: OperationView, seeds: readonly [number, number], ms: number) {
  const { arbitraryOf, brokenArbitraryOf } = scene.schemas
  const pointer = view.bodyPointer ?? ''
  await tryAll(scene, view, arbitraryOf(pointer), { seed: seeds[0], ms }, ({ reply }) =>
    reply.status === 400 || reply.status >= 500
      ? `Expected a valid request to be understood, got ${reply.status}.`
      : undefined,
  )
  const broken = brokenArbitraryOf(pointer)?.map(({ body }) => body)
  await tryAll(scene, view, broken, { seed: seeds[1], ms }, (exchange) =>
    isSuccess(exchange) || exchange.reply.status >= 500
      ? `Expected a request that breaks its schema to be refused, got ${exchange.reply.status}.`
      : undefined,
  )
}

async function tryAll(
  scene: Scene,
  view: OperationView,
  bodies: fc.Arbitrary<unknown> | undefined,
  { seed, ms }: { readonly seed: number; readonly ms: number },
  judge: (exchange: Exchange) => string | undefined,
): Promise<void> {
  if (!bodies) return
  // A record of the run's own: the one that the contract shows may be somebody's.
  const made = await scene.maker.inputOf(view, { who: 'partner' })
  if (!made) return scene.masked()
  let last: { exchange: Exchange; message: string } | undefined
  let isOver = false
  const property = fc.asyncProperty(bodies, async (body) => {
    if (isOver) return true
    const exchange = await scene.send(view, { ...made, body }).catch(unlessNotSent)
    if (!exchange) {
      // Neither will be what follows: no finding, and nothing to be shrunk.
      isOver = true
      scene.masked()
      return true
    }
    const message = judge(exchange)
    if (message === undefined) scene.held()
    else last = { exchange, message }
    return message === undefined
  })
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
