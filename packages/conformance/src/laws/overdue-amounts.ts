import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { isSuccess } from '../run/scene.ts'

/** Days that the clock is moved: past any row of holidays. */
const DAYS = 10

/** A sandbox can be told to move its clock; for no other service is waited. */
export const overdueAmounts: Law = {
  id: 'overdue-amounts',
  phase: 'time',
  isTraffic: true,
  question: 'final-amount',
  needs: ['createDueDateQrCode', 'checkCode'],
  stateful: true,
  isOfSandbox: true,
  atStake: true,
  title: 'A charge that is overdue asks for its fine once, and for its interest by the day.',
  advice:
    "Follow annex III of the central bank's manual: fine once, interest from the day after the due date.",
  run: async (scene) => {
    const amount = {
      original: '100.00',
      fine: { amount: '2.00', modality: '2' },
      interest: { amount: '1.00', modality: '1' },
    }
    const created = await scene.accepted('createDueDateQrCode', {
      set: { '/amount': amount, '/calendar/due_date': scene.clock.day() },
    })
    const emv = nodeOf(created?.body).emv
    if (typeof emv !== 'string' || !(await scene.clock.move(DAYS * 86_400))) return
    scene.identities.forget()
    const checked = await scene.send(scene.contract.operation('checkCode'), { body: { emv } })
    if (!isSuccess(checked)) return scene.masked()
    const { fine, interest } = nodeOf(checked.body)
    scene.expect(checked, fine === '2.00' ? undefined : `Expected a fine of 2.00, got ${fine}.`, {
      about: 'fine',
    })
    // The due date may have been moved to the next business day, which only the calendar knows.
    const days = Number(interest)
    const isRight = Number.isInteger(days) && days >= DAYS - 5 && days <= DAYS
    scene.expect(checked, isRight ? undefined : `Expected interest of about ${DAYS}.00, got ${interest}.`, {
      about: 'interest',
    })
  },
}
