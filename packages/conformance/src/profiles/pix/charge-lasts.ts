import { isSuccess, type Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { resourcesOf } from '../../model/resources.ts'
import { signInAnew } from '../../rules/customer.ts'
import { isOf } from '../../rules/records/records.ts'
import { itemOf } from '../../rules/records/whole-list.ts'
import type { Exchange } from '../../transport/exchange.ts'
import { CHARGING, payer, transfer } from './payments.ts'

const CREATE = 'createImmediateQrCode'

/** Seconds: a charge, most of its time, and the rest of it and some more. */
const LIFETIME = 7_200
const NEARLY = 7_000
const REST = 600

/** A sandbox can be told to move its clock; no other service is waited for. */
export const chargeLasts: Law = {
  id: 'charge-lasts',
  phase: 'time',
  question: 'qr-statuses',
  needs: [...CHARGING, 'listImmediateQrCodes'],
  stateful: true,
  isOfSandbox: true,
  atStake: true,
  title: 'A charge is checked and paid to the end of its time, and stays ATIVA on its list after it.',
  advice: 'Compare the end of the charge with the clock where it is paid, and let its status alone.',
  run: async (scene) => {
    const set = { '/amount': { original: '0.03' }, '/calendar': { expiration: LIFETIME } }
    const [paid, left] = [await scene.accepted(CREATE, { set }), await scene.accepted(CREATE, { set })]
    if (!paid || !left || !(await scene.clock.move(NEARLY))) return scene.masked()
    await signInAnew(scene)
    await isOpen(scene, paid)
    if (!(await scene.clock.move(REST))) return scene.masked()
    await isListed(scene, left)
  },
}

async function isOpen(scene: Scene, created: Exchange): Promise<void> {
  const { emv } = nodeOf(created.body)
  const checked = await scene.send(scene.contract.operation('checkCode'), { body: { emv } })
  const closed = `Expected a charge to be checked that has some minutes left, got ${checked.reply.status}.`
  scene.expect(checked, isSuccess(checked) ? undefined : closed, { about: 'check' })
  const paid = await transfer(scene, { body: { type: 'emv', emv, amount: '0.03' } }, payer(scene))
  const refused = `Expected a charge to be paid that has some minutes left, got ${paid.reply.status}.`
  scene.expect(paid, isSuccess(paid) ? undefined : refused, { about: 'pay' })
}

async function isListed(scene: Scene, created: Exchange): Promise<void> {
  const resource = resourcesOf(scene.contract).find(({ create }) => create.id === CREATE)
  const item =
    resource?.cancel && resource.list && (await itemOf(scene, resource, isOf(resource.cancel, created)))
  if (!resource?.list || item === undefined) return scene.masked()
  const { status } = nodeOf(item)
  const message = `Expected a charge that has expired to stay ${nodeOf(created.body).status}, got ${status}.`
  scene.expect(created, status === nodeOf(created.body).status ? undefined : message, {
    operation: resource.list.id,
    contract: resource.list.pointer,
    about: 'list',
  })
}
