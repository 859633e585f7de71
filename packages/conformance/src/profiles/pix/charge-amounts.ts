import { isSuccess, type Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../transport/exchange.ts'
import { dayAt } from '../../transport/service-clock.ts'
import { type ChargeRow, chargeRows, DUE } from './charge-rows.ts'

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
    await scene.each(chargeRows(day), (row) => tryRow(scene, row, day(row.due ?? DUE)))
  },
}

async function tryRow(scene: Scene, { words, amount, final }: ChargeRow, due_date: string): Promise<void> {
  const set = { '/amount': amount, '/calendar/due_date': due_date }
  const created = await scene.accepted('createDueDateQrCode', { set })
  const emv = nodeOf(created?.body).emv
  if (typeof emv !== 'string') return scene.masked()
  for (const who of ['partner', 'customer'] as const) {
    if (who === 'customer' && !scene.identities.has(who)) continue
    const checked = await scene.send(scene.contract.operation('checkCode'), { body: { emv } }, { who })
    if (!isSuccess(checked)) return scene.masked()
    const { final_amount } = nodeOf(checked.body)
    const message = `Expected ${final} with ${words} for the ${who}, got ${final_amount}.`
    scene.expect(checked, final_amount === final ? undefined : message, { about: `${words} ${who}` })
  }
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
