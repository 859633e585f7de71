import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { CHARGING, charge, isSuccess, payer, transfer } from '../run/payments.ts'

export const chargeClosedNotPayable: Law = {
  id: 'charge-closed-not-payable',
  phase: 'lifecycles',
  question: 'qr-statuses',
  needs: [...CHARGING, 'cancelImmediateQrCode'],
  stateful: true,
  atStake: true,
  title: 'A charge that was cancelled, or has expired, is neither checked nor paid.',
  advice: 'Ask for the status and the end of the charge before anything else.',
  run: async (scene) => {
    await cancelled(scene, 'createImmediateQrCode', 'cancelImmediateQrCode')
    if (scene.contract.has('createDueDateQrCode', 'cancelDueDateQrCode'))
      await cancelled(scene, 'createDueDateQrCode', 'cancelDueDateQrCode')
    await expired(scene)
  },
}

type Scene = Parameters<NonNullable<Law['run']>>[0]

async function cancelled(scene: Scene, create: Parameters<typeof charge>[1], cancel: string): Promise<void> {
  const made = await charge(scene, create)
  if (!made) return scene.masked()
  const id = String(nodeOf(made.created.body).id)
  const ended = await scene.send(scene.contract.operation(cancel), { path: { id } })
  if (!isSuccess(ended)) return scene.masked()
  await isClosed(scene, made, 'was cancelled')
}

/** A charge of one second, and a second to wait. */
async function expired(scene: Scene): Promise<void> {
  const created = await scene.accepted('createImmediateQrCode', {
    set: { '/amount/original': '0.03', '/calendar/expiration': 1 },
  })
  const emv = nodeOf(created?.body).emv
  if (!created || typeof emv !== 'string') return scene.masked()
  await new Promise((resolve) => setTimeout(resolve, 1_300))
  await isClosed(scene, { emv, pay: { body: { type: 'emv', emv, amount: '0.03' } } }, 'has expired')
}

async function isClosed(
  scene: Scene,
  { emv, pay }: { emv: string; pay: { body?: unknown } },
  words: string,
): Promise<void> {
  const paid = await transfer(scene, pay, payer(scene))
  scene.expect(
    paid,
    isSuccess(paid) ? `Expected a charge that ${words} to be refused, and it was paid.` : undefined,
    { about: `pay ${words}` },
  )
  const checked = await scene.send(scene.contract.operation('checkCode'), { body: { emv } })
  scene.expect(
    checked,
    isSuccess(checked)
      ? `Expected the check of a charge that ${words} to be refused, got ${checked.reply.status}.`
      : undefined,
    {
      about: `check ${words}`,
      question: 'code-status-values',
    },
  )
}
