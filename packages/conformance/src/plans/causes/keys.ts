import type { PlanContext } from '../plan.ts'
import { keysToTry } from '../send-valid.ts'
import { editsOfField, tryEdits } from './try-edits.ts'

/** Keys in no form of a key. */
const INVALID_KEYS = [
  'not a key',
  '1234567890',
  '556191234567',
  '+55 61 91234-5678',
  '123E4567-E12B-12D1-A456-426655440000',
  'Fulano@Example.com',
  '+',
  '12345678901234567890',
]

/** Keys that nobody has: reserved names and numbers, wrong check digits, and a CNPJ with letters. */
export const NOBODYS_KEYS = [
  'nobody@pix.invalid',
  '11144477736',
  '11222333000182',
  'QX73BW92000102',
  '+12025550123',
]

/** Checks keys that the service must refuse, and keys of users, among them a telephone number. */
export async function checkKeys(context: PlanContext): Promise<void> {
  const keys = [...INVALID_KEYS, ...NOBODYS_KEYS]
  await tryEdits(context, {
    operation: 'checkKey',
    mustRefuse: () => editsOfField('/dict_key', keys),
  })

  const keysOfUsers = await keysToTry(context)
  for (const dict_key of keysOfUsers) await context.send('checkKey', { body: { dict_key } })
}
