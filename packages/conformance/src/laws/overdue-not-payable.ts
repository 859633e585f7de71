import { signInAnew } from '../callers/customer.ts'
import { nodeOf } from '../contract/document.ts'
import { expectRefusal } from '../judging/refusal.ts'
import type { Law } from '../law.ts'
import { likePaid, payer, transfer, transferToCharge } from '../payments/payments.ts'

/** Days that the clock is moved: past any row of holidays after the due date, and after the day that follows from it. */
const DAYS = 10

/** A sandbox can be told to move its clock; for no other service is waited. */
export const overdueNotPayable: Law = {
  id: 'overdue-not-payable',
  phase: 'time',
  question: 'due-date-members',
  needs: ['createDueDateQrCode', 'checkCode', 'createTransfer'],
  stateful: true,
  isOfSandbox: true,
  atStake: true,
  title: 'A charge whose due date and expiration_days have passed is neither checked nor paid.',
  advice: 'Compare the day of the payment with the last day of the charge, business days counted in.',
  run: async (scene) => {
    const day = scene.clock.day()
    const calendar = { due_date: day, expiration_days: 0 }
    const created = await scene.accepted('createDueDateQrCode', {
      set: { '/calendar': calendar, '/amount': { original: '0.03' } },
    })
    const emv = nodeOf(created?.body).emv
    // While such a charge is open it is paid: else to be refused afterwards tells nothing.
    const open = await likePaid(scene, () => transferToCharge(scene, 'createDueDateQrCode'), payer(scene))
    if (typeof emv !== 'string' || !open || !(await scene.clock.move(DAYS * 86_400))) return scene.masked()
    await signInAnew(scene)
    const paid = await transfer(scene, { body: { type: 'emv', emv, amount: '0.03' } }, payer(scene))
    const message = 'Expected a charge after its last day to be refused, and it was paid.'
    expectRefusal(scene, paid, message, { also: [404], about: 'pay' })
    const checked = await scene.send(scene.contract.operation('checkCode'), { body: { emv } })
    const shown = 'Expected the code of a charge after its last day to be refused, and it was checked.'
    expectRefusal(scene, checked, shown, { also: [404], about: 'check' })
  },
}
