import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import type { Exchange } from '../run/exchange.ts'
import { isSuccess, type Scene } from '../run/scene.ts'
import { dayAt } from '../run/service-clock.ts'

/** A charge, and what it comes to on the day it is made. */
interface Row {
  readonly words: string
  readonly amount: Readonly<Record<string, unknown>>
  readonly final: string
}

/** Days until a charge is due. A discount by the day is given for each of them. */
const DUE = 10

export const chargeAmounts: Law = {
  id: 'charge-amounts',
  phase: 'data',
  question: 'final-amount',
  needs: ['createDueDateQrCode', 'createImmediateQrCode', 'checkCode'],
  stateful: true,
  atStake: true,
  title: 'A due-date charge asks for what its deduction, discount, fine and interest come to today.',
  advice: "Follow annex III of the central bank's manual: each part truncated to centavos.",
  run: async (scene) => {
    const created = await immediate(scene)
    const day = (days: number) => dayAt(madeAt(created) ?? scene.clock.now(), days)
    await scene.each([...plain(), ...discounts(day)], (row) => tryRow(scene, row, day(DUE)))
  },
}

async function tryRow(scene: Scene, { words, amount, final }: Row, due_date: string): Promise<void> {
  const set = { '/amount': amount, '/calendar/due_date': due_date }
  const created = await scene.accepted('createDueDateQrCode', { set })
  const emv = nodeOf(created?.body).emv
  if (typeof emv !== 'string') return scene.masked()
  const checked = await scene.send(scene.contract.operation('checkCode'), { body: { emv } })
  if (!isSuccess(checked)) return scene.masked()
  const { final_amount } = nodeOf(checked.body)
  const message = `Expected ${final} with ${words}, got ${final_amount}.`
  scene.expect(checked, final_amount === final ? undefined : message, { about: words })
}

async function immediate(scene: Scene): Promise<Exchange | undefined> {
  const created = await scene.accepted('createImmediateQrCode', { set: { '/amount/original': '35.91' } })
  const emv = nodeOf(created?.body).emv
  if (typeof emv !== 'string') {
    scene.masked()
    return created
  }
  const checked = await scene.send(scene.contract.operation('checkCode'), { body: { emv } })
  if (!isSuccess(checked)) {
    scene.masked()
    return created
  }
  const { final_amount } = nodeOf(checked.body)
  const message = `Expected 35.91 for an immediate charge over 35.91, got ${final_amount}.`
  scene.expect(checked, final_amount === '35.91' ? undefined : message, { about: 'immediate' })
  return created
}

/** When a service made a record, by its own clock. */
function madeAt(created: Exchange | undefined): number | undefined {
  const at = Date.parse(String(nodeOf(created?.body).created_at))
  return Number.isNaN(at) ? undefined : at
}

/** Charges whose amount is the same on every day until they are due. */
function plain(): Row[] {
  const [original, odd] = ['100.00', '123.45']
  const fine = { amount: '2.00', modality: '2' }
  const interest = { amount: '1.00', modality: '3' }
  return [
    { words: 'no adjustment', amount: { original }, final: '100.00' },
    {
      words: 'a fixed deduction',
      amount: { original, deduction: { amount: '10.00', modality: '1' } },
      final: '90.00',
    },
    {
      words: 'a deduction of percent',
      amount: { original: odd, deduction: { amount: '10.00', modality: '2' } },
      final: '111.11',
    },
    // Half a centavo and more, which rounding would make a whole one.
    {
      words: 'a deduction of percent that ends in a fraction',
      amount: { original: '123.49', deduction: { amount: '10.00', modality: '2' } },
      final: '111.15',
    },
    { words: 'a fine that is not due', amount: { original, fine, interest }, final: '100.00' },
  ]
}

/** Discounts of a day, of a charge that is due some days later. Those by business days only a calendar knows. */
function discounts(day: (days: number) => string): Row[] {
  const original = '100.00'
  const until = (amount: string, days: number) => ({ amount, date: day(days) })
  const dated = (modality: string, ...fixedDateDiscount: ReturnType<typeof until>[]) => ({
    modality,
    fixedDateDiscount,
  })
  const [value, percent] = [
    { amount: '1.00', modality: '3' },
    { amount: '1.00', modality: '5' },
  ]
  const deduction = { amount: '10.00', modality: '1' }
  return [
    {
      words: 'a discount until a date',
      amount: { original, discount: dated('1', until('5.00', DUE)) },
      final: '95.00',
    },
    {
      words: 'a discount of percent until a date',
      amount: { original: '123.45', discount: dated('2', until('10.00', DUE)) },
      final: '111.11',
    },
    {
      words: 'a discount of percent after a deduction',
      amount: { original, deduction, discount: dated('2', until('10.00', DUE)) },
      final: '81.00',
    },
    {
      words: 'discounts until two dates',
      amount: { original, discount: dated('1', until('5.00', DUE), until('20.00', 3)) },
      final: '80.00',
    },
    {
      words: 'a discount whose date has passed',
      amount: { original, discount: dated('1', until('20.00', -DUE), until('5.00', DUE)) },
      final: '95.00',
    },
    { words: 'a discount for each day', amount: { original, discount: value }, final: '90.00' },
    {
      words: 'a discount of percent for each day',
      amount: { original: '123.45', discount: percent },
      final: '111.11',
    },
  ]
}
