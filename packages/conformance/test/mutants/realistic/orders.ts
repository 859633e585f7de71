import { KEYS } from '../../faulty/fixtures.ts'
import type { Json } from '../../faulty/json.ts'
import type { Actor, Seen, Stage } from '../stage.ts'
import { BRAZIL, dayAt } from '../tools.ts'

export const IMMEDIATE = 'POST /pix/qrcode/dynamic/immediate'
export const DUE_DATE = 'POST /pix/qrcode/dynamic/due-date'
export const STATIC = 'POST /pix/qrcode/static/'
export const PAY = 'POST /pix/out/'
export const LOOK_UP = 'POST /pix/dict/check/'

let orders = 0

export function newTxId(): string {
  orders += 1
  return `MUTANTES${String(orders).padStart(20, '0')}`
}

/** A request for an immediate charge. */
export function immediate(more: Json = {}): Json {
  return { dict_key: KEYS.partner, tx_id: newTxId(), amount: { original: '35.90' }, ...more }
}

/** A request for a charge that is due in this many days. */
export function dueDate({ sandbox }: Pick<Stage, 'sandbox'>, more: Json = {}, days = 3): Json {
  const due_date = dayAt(sandbox.app.clock.now() + days * 86_400_000, BRAZIL)
  const calendar = { due_date, expiration_days: 30 }
  return { dict_key: KEYS.partner, tx_id: newTxId(), amount: { original: '95.00' }, calendar, ...more }
}

export function cancel(kind: 'immediate' | 'due-date', id: unknown): string {
  return `DELETE /pix/qrcode/dynamic/${kind}/${id}`
}

export function list(kind: 'immediate' | 'due-date', query = ''): string {
  return `GET /pix/qrcode/dynamic/${kind}${query}`
}

/** Looks up a key, and pays it. */
export async function payKey(payer: Actor, more: Json = {}, dict_key: string = KEYS.beltrana): Promise<Seen> {
  const { initiation_id } = (await payer(LOOK_UP, { dict_key })).body
  return payer(PAY, { type: 'dict', amount: '25.00', initiation_id, dict_key, ...more })
}

export function payCode(payer: Actor, emv: unknown, amount: string): Promise<Seen> {
  return payer(PAY, { type: 'emv', emv, amount })
}
