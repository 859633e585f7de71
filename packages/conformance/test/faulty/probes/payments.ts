import { decode, encode } from '@partner-payments/brcode'
import { type Actors, toKey } from '../actors.ts'
import { KEYS, USERS } from '../cast.ts'
import type { payments } from '../faults/payments.ts'
import type { Probe } from '../probe.ts'

const DAY = 86_400_000

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status
const check = (as: Actors, emv: string) => as.customer('POST /pix/brcode/emv/', { emv })
const lookUp = async (ask: Actors['customer']) =>
  (await ask('POST /pix/dict/check/', { dict_key: KEYS.beltrana })).body.initiation_id

async function later({ world }: Actors, ms: number): Promise<void> {
  // What other looks left to be delivered would be tried again on the way.
  await world.run('UPDATE deliveries SET due_at = NULL')
  await world.app.worker.moveTo(world.app.clock.now() + ms)
}

/** The code of a charge that is due today, and whose last day has passed. */
async function overdue(as: Actors): Promise<string> {
  const due_date = new Date(as.world.app.clock.now() + DAY).toISOString().slice(0, 10)
  const { emv } = (await as.dueDate({ calendar: { due_date, expiration_days: 0 } })).body
  await later(as, 10 * DAY)
  return emv
}

/** The partner, whose tokens have expired by then. */
async function afterwards(as: Actors): Promise<Actors['partner']> {
  return as.by(await as.world.bearer('partner'))
}

/** A member of a transfer that pays a code. */
const paying = (kind: 'immediate' | 'staticCode', member: string) => async (as: Actors) => {
  const { emv } = (await as[kind]()).body
  return (await as.pay(emv, '35.90')).body.data[member]
}

const balance = async ({ world }: Actors, id: string): Promise<bigint> => {
  const sql = 'SELECT balance FROM accounts WHERE id = ?'
  const row = await world.app.store.read((queries) => queries.get<{ balance: bigint }>(sql, [id]))
  return BigInt(row?.balance ?? 0)
}

async function funded(as: Actors, id: string, centavos: bigint): Promise<void> {
  await as.world.run('UPDATE accounts SET balance = ? WHERE id = ?', [centavos, id])
}

/** Centavos that an account of a transfer of 35.90 to the partner moves by. */
const moved = (whose: 'payer' | 'payee') => async (as: Actors) => {
  const { emv } = (await as.immediate()).body
  const own = (await as.transfer({ amount: '0.01' })).body.data.account_id
  const sql = 'SELECT account_id FROM keys WHERE dict_key = ?'
  const row = await as.world.app.store.read((queries) =>
    queries.get<{ account_id: string }>(sql, [KEYS.partner]),
  )
  const id = whose === 'payer' ? own : (row?.account_id ?? '')
  await later(as, 1_000)
  const before = await balance(as, id)
  await as.pay(emv, '35.90')
  await later(as, 1_000)
  return Number((await balance(as, id)) - before)
}

/** What shows each fault of payments. */
export const paymentsProbes: Record<keyof typeof payments, Probe> = {
  'old-initiation-pays': [
    async (as) => {
      const initiation = await lookUp(as.customer)
      await later(as, 31 * 60_000)
      return statusOf(as.customer('POST /pix/out/', toKey(initiation)))
    },
    422,
    201,
  ],
  'due-date-charge-of-any-amount': [
    async (as) => {
      const amount = { original: '35.90', deduction: { amount: '5.00', modality: '1' } }
      return statusOf(as.pay((await as.dueDate({ amount })).body.emv, '35.90'))
    },
    422,
    201,
  ],
  'nothing-paid-for-an-open-code': [
    async (as) => {
      const { objects: _, ...code } = decode((await as.staticCode()).body.emv)
      // What was decoded is a static code, of which the amount is gone.
      const open = { ...code, amount: undefined } as unknown as Parameters<typeof encode>[0]
      return statusOf(as.pay(encode(open), '0.00'))
    },
    422,
    201,
  ],
  'due-date-charge-paid-twice': [
    async (as) => {
      const { emv } = (await as.dueDate()).body
      await as.pay(emv, '35.90')
      return statusOf(as.pay(emv, '35.90'))
    },
    409,
    201,
  ],
  'cancelled-due-date-charge-paid': [
    async (as) => {
      const { id, emv } = (await as.dueDate()).body
      await as.partner(`DELETE /pix/qrcode/dynamic/due-date/${id}`)
      return statusOf(as.pay(emv, '35.90'))
    },
    422,
    201,
  ],
  'overdue-charge-paid': [
    async (as) => {
      const emv = await overdue(as)
      const acting = await (await afterwards(as))('POST /auth/partner/impersonate/', USERS.partner)
      const ask = as.by(`Bearer ${acting.body.access_token}`)
      return statusOf(ask('POST /pix/out/', { type: 'emv', emv, amount: '35.90' }))
    },
    422,
    201,
  ],
  'overdue-charge-checked': [
    async (as) => {
      const emv = await overdue(as)
      return statusOf((await afterwards(as))('POST /pix/brcode/emv/', { emv }))
    },
    422,
    200,
  ],
  'expired-charge-checked': [
    async (as) => {
      const { emv } = (await as.immediate({ calendar: { expiration: 1 } })).body
      await later(as, 2_000)
      return statusOf(check(as, emv))
    },
    422,
    200,
  ],
  'initiation-of-the-partner-for-a-customer': [
    async (as) => statusOf(as.customer('POST /pix/out/', toKey(await lookUp(as.partner)))),
    422,
    201,
  ],
  'every-transfer-called-dict': [paying('staticCode', 'initiation_type'), 'QRES', 'DICT'],
  'dynamic-called-static': [paying('immediate', 'initiation_type'), 'QRDN', 'QRES'],
  'tx-id-of-transfer-lost': [async (as) => (await paying('immediate', 'tx_id')(as)) !== '', true, false],
  'beneficiary-is-the-payer': [
    async (as) => (await as.transfer()).body.data.beneficiary.name,
    'Beltrana de Tal',
    'Fulano de Tal',
  ],
  'end-to-end-id-reused': [
    async (as) => (await as.transfer()).body.data.end_to_end_id.endsWith('AAAAAAAAAAA'),
    false,
    true,
  ],
  'pending-and-settled': [async (as) => (await as.transfer()).body.data.settled_at === '', true, false],
  'pending-and-rejected': [
    async (as) => (await as.transfer()).body.data.rejection_message,
    '',
    'Conta encerrada',
  ],
  'balance-stays': [moved('payer'), -3590, 0],
  'balance-moves-twice': [moved('payer'), -3590, -7180],
  'receiver-not-credited': [moved('payee'), 3590, 0],
  'refused-transfer-debited': [
    async (as) => {
      const { account_id } = (await as.transfer({ amount: '0.01' })).body.data
      // Other looks may have given it more than any transfer asks for.
      const held = await balance(as, account_id)
      await funded(as, account_id, 1_000_00n)
      await as.transfer({ amount: '99999999.00' })
      const left = await balance(as, account_id)
      await funded(as, account_id, held)
      return Number(left - 1_000_00n)
    },
    0,
    -100,
  ],
}
