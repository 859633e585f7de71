import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { isSuccess, transfer } from '../run/payments.ts'
import { dayThere, moveClock } from '../run/sandbox-clock.ts'

/** Days that the clock is moved: past any row of holidays after the due date, and after the day that follows from it. */
const DAYS = 10

/** A sandbox can be told to move its clock; for no other service is waited. */
export const overdueNotPayable: Law = {
  id: 'overdue-not-payable',
  phase: 'time',
  question: 'due-date-members',
  needs: ['createDueDateQrCode', 'checkCode', 'createTransfer'],
  stateful: true,
  atStake: true,
  title: 'A charge whose due date and expiration_days have passed is neither checked nor paid.',
  advice: 'Compare the day of the payment with the last day of the charge, business days counted in.',
  run: async (scene) => {
    const day = scene.target === 'sandbox' ? await dayThere(scene) : undefined
    if (day === undefined) return
    const calendar = { due_date: day, expiration_days: 0 }
    const created = await scene.accepted('createDueDateQrCode', {
      set: { '/calendar': calendar, '/amount': { original: '0.03' } },
    })
    const emv = nodeOf(created?.body).emv
    if (typeof emv !== 'string' || !(await moveClock(scene, DAYS * 86_400))) return scene.masked()
    scene.identities.forget()
    const paid = await transfer(scene, { body: { type: 'emv', emv, amount: '0.03' } })
    const message = 'Expected a charge after its last day to be refused, and it was paid.'
    scene.expect(paid, isSuccess(paid) ? message : undefined, { about: 'pay' })
    const checked = await scene.send(scene.contract.operation('checkCode'), { body: { emv } })
    const open = 'Expected the code of a charge after its last day to be refused, and it was checked.'
    scene.expect(checked, isSuccess(checked) ? open : undefined, { about: 'check' })
  },
}
