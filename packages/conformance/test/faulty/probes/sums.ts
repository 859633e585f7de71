import type { Actors } from '../actors.ts'
import { KEYS } from '../cast.ts'
import type { sums } from '../faults/sums.ts'
import type { Probe } from '../probe.ts'

const DAY = 86_400_000
const PARTNER = `(SELECT account_id FROM partners WHERE client_key = 'partner')`

const check = async (as: Actors, emv: string, who: 'partner' | 'customer' = 'partner') =>
  (await as[who]('POST /pix/brcode/emv/', { emv })).body
const dayOf = ({ world }: Actors, after = 0) =>
  new Date(world.app.clock.now() - DAY / 8 + after * DAY).toISOString().slice(0, 10)

/** A part of what a charge of 100.00 comes to that is due today. */
const today = (part: string, amount: (day: string) => object) => async (as: Actors) => {
  const due_date = dayOf(as)
  const charged = { original: '100.00', ...amount(due_date) }
  const { emv } = (await as.dueDate({ amount: charged, calendar: { due_date } })).body
  return (await check(as, emv))[part]
}

/** The fine of a charge that was due ten days ago, as none can be made. */
async function late(as: Actors): Promise<string> {
  const amount = { original: '100.99', fine: { amount: '2.00', modality: '2' } }
  const { emv } = (await as.dueDate({ amount })).body
  const calendar = { due_date: dayOf(as, -10), expiration_days: 300 }
  const charge = { amount, calendar, additional_infos: [], message: null, payer: null }
  await as.world.run('UPDATE qrcodes SET charge = ? WHERE emv = ?', [JSON.stringify(charge), emv])
  return (await check(as, emv)).fine
}

/** The status of a transfer of a centavo more than the partner has, who has it back afterwards. */
async function overdrawn({ partner, world }: Actors): Promise<number> {
  const sql = `SELECT balance FROM accounts WHERE id = ${PARTNER}`
  const row = await world.app.store.read((queries) => queries.get<{ balance: bigint }>(sql))
  const set = `UPDATE accounts SET balance = ? WHERE id = ${PARTNER}`
  await world.run(set, [5_000n])
  const { initiation_id } = (await partner('POST /pix/dict/check/', { dict_key: KEYS.beltrana })).body
  const body = { type: 'dict', amount: '50.01', dict_key: KEYS.beltrana, initiation_id }
  const { status } = await partner('POST /pix/out/', body)
  await world.run(set, [row?.balance ?? 0n])
  return status
}

/** What shows each fault of sums. */
export const sumsProbes: Record<keyof typeof sums, Probe> = {
  'fine-on-the-due-date': [today('fine', () => ({ fine: { amount: '2.00', modality: '1' } })), '0', '2.00'],
  'interest-on-the-due-date': [
    today('interest', () => ({ interest: { amount: '1.00', modality: '1' } })),
    '0',
    '1.00',
  ],
  'discount-ends-a-day-early': [
    today('discount', (date) => ({
      discount: { modality: '1', fixedDateDiscount: [{ amount: '5.00', date }] },
    })),
    '5.00',
    '0',
  ],
  'customers-get-no-discount': [
    async (as) => {
      const discount = { amount: '1.00', modality: '3' }
      const calendar = { due_date: dayOf(as, 10) }
      const { emv } = (await as.dueDate({ amount: { original: '100.00', discount }, calendar })).body
      return (await check(as, emv, 'customer')).final_amount
    },
    '90.00',
    '100.00',
  ],
  'fine-rounded': [late, '2.01', '2.02'],
  'overdraft-of-a-real': [overdrawn, 422, 201],
  'static-amount-of-a-float': [
    async (as) => (await as.staticCode({ amount: '1.15' })).body.amount,
    '1.15',
    '1.14',
  ],
  'large-static-amount-rounded': [
    async (as) => (await as.staticCode({ amount: '8765432109.87' })).body.amount === '8765432109.87',
    true,
    false,
  ],
}
