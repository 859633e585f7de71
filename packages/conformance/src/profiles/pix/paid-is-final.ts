import { isSuccess, type Scene } from '../../engine/context.ts'
import { expectRefusal } from '../../engine/refusal.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { type Resource, resourcesOf } from '../../model/resources.ts'
import { isOf } from '../../rules/records/records.ts'
import { itemOf } from '../../rules/records/whole-list.ts'
import type { Exchange } from '../../transport/exchange.ts'
import { balancesAtRest } from './balances.ts'
import { CHARGING, charge, payer, transfer } from './payments.ts'
import { listedStatusOf, PAID } from './settlement.ts'

export const paidIsFinal: Law = {
  id: 'paid-is-final',
  phase: 'lifecycles',
  question: 'qr-statuses',
  needs: [...CHARGING, 'cancelImmediateQrCode', 'listImmediateQrCodes'],
  stateful: true,
  atStake: true,
  title:
    'A charge that was paid is listed as paid, and is neither cancelled nor asked for again; one whose payment was rejected is open.',
  advice: 'Write the status in the transaction that settles, and move from ATIVA alone.',
  run: async (scene) => {
    const made = await charge(scene)
    const first =
      made && (await scene.send(scene.contract.operation('checkCode'), { body: { emv: made.emv } }))
    const paid = first && (await transfer(scene, made.pay, payer(scene)))
    const resource = resourcesOf(scene.contract).find(({ create }) => create.id === made?.created.view?.id)
    if (!made || !resource?.cancel || !paid || !isSuccess(paid)) return scene.masked()
    const { cancel } = resource
    isListed(scene, resource, { exchange: made.created, status: await listedStatusOf(scene, made.created) })
    const { path, body } = { path: { id: String(nodeOf(made.created.body).id) }, body: undefined }
    const cancelled = await scene.send(cancel.view, { path, body })
    const message = 'Expected the cancellation of a charge that was paid to be refused, and it was done.'
    expectRefusal(scene, cancelled, message, { also: [404], about: 'cancel' })
    const checked = await scene.send(scene.contract.operation('checkCode'), { body: { emv: made.emv } })
    const open = 'Expected the code of a charge that was paid to be refused, and it was checked.'
    expectRefusal(scene, checked, open, {
      also: [404],
      about: 'check',
      question: 'code-status-values',
    })
    if (scene.clock.isControlled) await tryRejected(scene, resource)
  },
}

/** A sandbox rejects what is paid to oneself: then nothing was paid, and whoever is asked to can still do it. */
async function tryRejected(scene: Scene, resource: Resource): Promise<void> {
  const made = await charge(scene)
  const own = made && (await transfer(scene, made.pay))
  if (!made || !resource.cancel || !own || !isSuccess(own) || !(await balancesAtRest(scene)))
    return scene.masked()
  const { status } = nodeOf(await itemOf(scene, resource, isOf(resource.cancel, made.created)))
  const message = `Expected a charge whose payment was rejected to stay open, got ${status}.`
  scene.expect(made.created, status === nodeOf(made.created.body).status ? undefined : message, {
    operation: resource.list?.id,
    contract: resource.list?.pointer ?? '',
    about: 'rejected',
  })
  const paid = await transfer(scene, made.pay, payer(scene))
  const refused = `Expected a charge whose payment was rejected to be paid, got ${paid.reply.status}.`
  scene.expect(paid, isSuccess(paid) ? undefined : refused, { about: 'rejected' })
}

interface Listed {
  readonly status: unknown
  readonly exchange: Exchange
}

function isListed(scene: Scene, { list }: Resource, { status, exchange }: Listed): void {
  const message = `Expected a charge that was paid to be listed as ${PAID}, got ${status}.`
  scene.expect(exchange, status === PAID ? undefined : message, {
    operation: list?.id,
    contract: list?.pointer ?? '',
    about: 'list',
  })
}
