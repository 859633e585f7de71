import { isSuccess, type Scene } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { likePaid, transfer, type Way, waysToPay } from './payments.ts'

/** More than any account holds, and what no code asks for. */
const WRONG = '9999999999.99'

export const refusalUsesNothing: Law = {
  id: 'refusal-uses-nothing',
  phase: 'lifecycles',
  question: 'effects',
  needs: ['createTransfer'],
  stateful: true,
  atStake: true,
  title: 'What is refused uses nothing up: its look-up, its charge and its tx_id are as good as before.',
  advice: 'Use up what a request brings in the transaction that does what it asks for, and nowhere before.',
  run: async (scene) => {
    for (const way of waysToPay(scene)) await thenRight(scene, way)
    for (const id of ['createImmediateQrCode', 'createDueDateQrCode'])
      if (scene.contract.has(id) && scene.may(scene.contract.operation(id))) await thenCreated(scene, id)
  },
}

/** A transfer of too much, and then of what is right. */
async function thenRight(scene: Scene, { made, who, words }: Way): Promise<void> {
  const input = await likePaid(scene, made, who)
  const refused = input && (await transfer(scene, { body: { ...nodeOf(input.body), amount: WRONG } }, who))
  if (!input || !refused || !isRefusal(refused)) return scene.masked()
  const paid = await transfer(scene, input, who)
  const message = `Expected what a transfer by ${words} that was refused began with to pay still, got ${paid.reply.status}.`
  scene.expect(paid, isSuccess(paid) ? undefined : message, { about: words })
}

/** A charge of nothing, and then one that is right, of the same tx_id. */
async function thenCreated(scene: Scene, id: string): Promise<void> {
  const view = scene.contract.operation(id)
  const input = await scene.maker.inputOf(view, { who: 'partner' })
  const refused =
    input && (await scene.send(view, scene.maker.withMembers(input, { '/amount': { original: '0.00' } })))
  if (!input || !refused || !isRefusal(refused)) return scene.masked()
  const created = await scene.send(view, input)
  const message = `Expected the tx_id of a charge that was refused to be free still, got ${created.reply.status}.`
  scene.expect(created, isSuccess(created) ? undefined : message, { about: id })
}
