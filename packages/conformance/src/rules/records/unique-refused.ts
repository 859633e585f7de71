import { isSuccess, type Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf, valueAt } from '../../model/document.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { resourcesOf } from '../../model/resources.ts'
import type { Exchange } from '../../transport/exchange.ts'
import { doStep } from './records.ts'

/** What the examples of a 409 name, and the caller chooses: a second request with it is refused, also at once. */
export const uniqueRefused: Law = {
  id: 'unique-refused',
  phase: 'lifecycles',
  isTraffic: true,
  question: 'tx-id-form',
  stateful: true,
  title:
    'A value that has to be unique is refused the second time, also after the first was ended, and one of many at once is accepted.',
  advice: 'Let the store keep it unique, in the transaction that writes the record.',
  run: async (scene) => {
    const views = scene.contract.operations.filter(
      (it) => it.usedOnce.length > 0 && it.method === 'POST' && scene.isAsked(it),
    )
    const creations = views.filter((it) =>
      it.usedOnce.every((pointer) => !isGiven(scene.contract.links, it.id, pointer)),
    )
    await scene.each(creations, async (view) => {
      const created = await scene.accepted(view.id)
      if (!created) return scene.masked()
      const again = await scene.send(view, created.input)
      scene.expect(
        again,
        again.reply.status === 409 ? undefined : `Expected 409 the second time, got ${again.reply.status}.`,
      )
      await tryOther(scene, view, created)
      await tryEnded(scene, view, created)
      await tryOtherKinds(
        scene,
        creations.filter((it) => it !== view),
        { view, created },
      )
      const input = await scene.maker.inputOf(view, { who: 'partner' })
      if (!input) return
      const all = await Promise.all(Array.from({ length: 6 }, () => scene.send(view, input)))
      const count = all.filter(isSuccess).length
      const [first] = all
      if (first)
        scene.expect(
          first,
          count === 1 ? undefined : `Expected 1 of 6 at once to be accepted, got ${count}.`,
          { about: 'at once' },
        )
    })
  },
}

/** What a record has used it goes on using once it was ended. */
async function tryEnded(scene: Scene, view: OperationView, created: Exchange): Promise<void> {
  const { cancel } = resourcesOf(scene.contract).find(({ create }) => create === view) ?? {}
  if (!cancel) return
  if (!isSuccess(await doStep(scene, cancel, created))) return scene.masked()
  const again = await scene.send(view, created.input)
  const message = `Expected 409 for a value of what was cancelled, got ${again.reply.status}.`
  scene.expect(again, again.reply.status === 409 ? undefined : message, { about: 'ended' })
}

/** Unique per partner: that another one has used it is nothing that a partner is told. */
async function tryOther(scene: Scene, view: OperationView, { input }: Exchange): Promise<void> {
  if (!scene.identities.has('other') || !scene.contract.questions.has('tx-id-form')) return
  const exchange = await scene.send(view, input, { who: 'other' })
  const message = 'Expected no conflict over a value that another partner has used, got one.'
  scene.expect(exchange, exchange.reply.status === 409 ? message : undefined, { about: 'other partner' })
}

/** Unique among all that have the member, as a tx_id is among both kinds of QR code. */
async function tryOtherKinds(
  scene: Scene,
  others: readonly OperationView[],
  { view, created }: Made,
): Promise<void> {
  // That one value is for all kinds is an answer of ours.
  if (!scene.contract.questions.has('tx-id-form')) return
  for (const other of others) {
    const shared = view.usedOnce.filter((pointer) => other.usedOnce.includes(pointer))
    const input = shared.length > 0 ? await scene.maker.inputOf(other, { who: 'partner' }) : undefined
    if (!input) continue
    const values = Object.fromEntries(
      shared.map((pointer) => [pointer, valueAt(created.input.body, pointer)]),
    )
    const exchange = await scene.send(other, scene.maker.withMembers(input, values))
    const { status } = exchange.reply
    const message = `Expected 409 for a value that ${view.id} has used, got ${status}.`
    scene.expect(exchange, status === 409 ? undefined : message, { about: 'other kind' })
  }
}

interface Made {
  readonly view: OperationView
  readonly created: Exchange
}

function isGiven(links: readonly { to: string; body: unknown }[], id: string, pointer: string): boolean {
  return links.some(({ to, body }) => to === id && valueAt(nodeOf(body), pointer) !== undefined)
}
