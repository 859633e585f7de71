import { nodeOf } from '../contract/document.ts'
import { expectRefusal } from '../judging/refusal.ts'
import type { Law } from '../law.ts'
import { CHARGING, charge, likePaid, payer, transfer, transferToCharge } from '../payments/payments.ts'
import { isSuccess, type Scene } from '../run/scene.ts'
import type { Input } from '../wire/exchange.ts'

export const chargeClosedNotPayable: Law = {
  id: 'charge-closed-not-payable',
  phase: 'lifecycles',
  question: 'qr-statuses',
  needs: [...CHARGING, 'cancelImmediateQrCode'],
  stateful: true,
  waits: 'data',
  atStake: true,
  title: 'A charge that was cancelled, or has expired, is neither checked nor paid.',
  advice: 'Ask for the status and the end of the charge before anything else.',
  run: async (scene) => {
    const open = await whileOpen(scene)
    await cancelled(scene, { create: 'createImmediateQrCode', cancel: 'cancelImmediateQrCode', open })
    if (scene.contract.has('createDueDateQrCode', 'cancelDueDateQrCode'))
      await cancelled(scene, { create: 'createDueDateQrCode', cancel: 'cancelDueDateQrCode', open })
    await expired(scene, open)
  },
}

/** What is accepted of a charge that is open: else to be refused afterwards tells nothing. */
interface Open {
  readonly isPaid: boolean
  readonly isChecked: boolean
}

async function whileOpen(scene: Scene): Promise<Open> {
  const other = await likePaid(scene, () => transferToCharge(scene), payer(scene))
  const checked = await scene.accepted('checkCode')
  return { isPaid: other !== undefined, isChecked: checked !== undefined }
}

interface Kind {
  readonly create: Parameters<typeof charge>[1]
  readonly cancel: string
  readonly open: Open
}

async function cancelled(scene: Scene, { create, cancel, open }: Kind): Promise<void> {
  const made = await charge(scene, create)
  if (!made) return scene.masked()
  const id = String(nodeOf(made.created.body).id)
  const ended = await scene.send(scene.contract.operation(cancel), { path: { id } })
  if (!isSuccess(ended)) return scene.masked()
  await isClosed(scene, { ...made, open }, 'was cancelled')
}

/** A charge of one second, and a second to wait. */
async function expired(scene: Scene, open: Open): Promise<void> {
  const created = await scene.accepted('createImmediateQrCode', {
    set: { '/amount/original': '0.03', '/calendar/expiration': 1 },
  })
  const emv = nodeOf(created?.body).emv
  if (!created || typeof emv !== 'string') return scene.masked()
  await scene.pause(1_300)
  const pay = { body: { type: 'emv', emv, amount: '0.03' } }
  await isClosed(scene, { emv, pay, open }, 'has expired')
}

async function isClosed(
  scene: Scene,
  { emv, pay, open }: { emv: string; pay: Input; open: Open },
  words: string,
): Promise<void> {
  if (open.isPaid) {
    const paid = await transfer(scene, pay, payer(scene))
    const message = `Expected a charge that ${words} to be refused, and it was paid.`
    expectRefusal(scene, paid, message, { also: [404], about: `pay ${words}` })
  } else scene.masked()
  if (!open.isChecked) return scene.masked()
  const checked = await scene.send(scene.contract.operation('checkCode'), { body: { emv } })
  const message = `Expected the check of a charge that ${words} to be refused, got ${checked.reply.status}.`
  expectRefusal(scene, checked, message, {
    also: [404],
    about: `check ${words}`,
    question: 'code-status-values',
  })
}
