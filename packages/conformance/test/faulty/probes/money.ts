import { tryDecode } from '@partner-payments/brcode'
import { type Actors, toKey } from '../actors.ts'
import { KEYS, STATIC_CODE } from '../cast.ts'
import type { money } from '../faults/money.ts'
import type { Probe } from '../probe.ts'

const DAY = 86_400_000

const check = async (as: Actors, emv: string) => as.customer('POST /pix/brcode/emv/', { emv })
const initiation = async (ask: Actors['customer'], dict_key: string = KEYS.beltrana) =>
  (await ask('POST /pix/dict/check/', { dict_key })).body.initiation_id
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status
/** A code whose last digit of the checksum is another. */
const spoiled = STATIC_CODE.slice(0, -1) + (STATIC_CODE.endsWith('0') ? '1' : '0')

/** A charge of 100.00, with more in its amount. */
async function dueDate(as: Actors, amount: object, due_date = '2999-01-15'): Promise<string> {
  const calendar = { due_date, expiration_days: 300 }
  const { body } = await as.dueDate({ amount: { original: '100.00', ...amount }, calendar })
  return body.emv
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

const decoded = async (as: Actors) => {
  const { body } = await as.staticCode()
  const result = tryDecode(body.emv)
  return result.ok && result.code.kind === 'static' ? result.code : undefined
}

/** What shows each fault of this kind. */
export const moneyProbes: Record<keyof typeof money, Probe> = {
  'initiation-used-twice': [
    async (as) => {
      const body = toKey(await initiation(as.customer))
      await as.customer('POST /pix/out/', body)
      return statusOf(as.customer('POST /pix/out/', body))
    },
    409,
    201,
  ],
  'initiation-used-at-once': [
    async (as) => {
      const body = toKey(await initiation(as.customer))
      const statuses = await Promise.all(
        Array.from({ length: 5 }, () => statusOf(as.customer('POST /pix/out/', body))),
      )
      return statuses.filter((status) => status === 201).length
    },
    1,
    5,
  ],
  'initiation-of-another-key': [
    async (as) =>
      statusOf(as.customer('POST /pix/out/', { ...toKey(await initiation(as.customer, KEYS.padaria)) })),
    422,
    201,
  ],
  'initiation-of-another-caller': [
    async (as) => statusOf(as.customer('POST /pix/out/', toKey(await initiation(as.other)))),
    422,
    201,
  ],
  'initiation-unchecked': [(as) => statusOf(as.customer('POST /pix/out/', toKey('ini_never'))), 422, 201],
  'code-unchecked': [(as) => statusOf(check(as, 'garbage')), 422, 200],
  'checksum-unchecked': [(as) => statusOf(check(as, spoiled)), 422, 200],
  'checksum-unchecked-when-paid': [(as) => statusOf(as.pay(spoiled, '10.50')), 422, 201],
  'checksum-wrong': [async (as) => (await decoded(as)) !== undefined, true, false],
  'code-of-another-amount': [async (as) => (await decoded(as))?.amount, '35.90', '35.91'],
  'code-of-another-key': [async (as) => (await decoded(as))?.key, KEYS.partner, '12345678909'],
  'code-of-another-charge': [
    async (as) => {
      const { body } = await as.immediate()
      const result = tryDecode(body.emv)
      return result.ok && 'location' in result.code && result.code.location === body.url
    },
    true,
    false,
  ],
  // The image of a code of another length has another number of modules, and its header says so.
  'image-of-another-code': [
    async (as) => {
      const message = 'a'.repeat(50)
      const [{ body: one }, { body: two }] = [await as.staticCode({ message }), await as.staticCode()]
      return one.qrcode_image.slice(0, 40) === two.qrcode_image.slice(0, 40)
    },
    false,
    true,
  ],
  'final-amount-a-centavo-more': [
    async (as) => (await check(as, STATIC_CODE)).body.final_amount,
    '10.50',
    '10.51',
  ],
  'discount-not-taken-off': [
    async (as) => {
      const discount = { modality: '1', fixedDateDiscount: [{ amount: '5.00', date: '2998-12-10' }] }
      return (await check(as, await dueDate(as, { discount }))).body.final_amount
    },
    '95.00',
    '100.00',
  ],
  'fine-not-added': [
    async (as) => {
      const { clock, worker } = as.world.app
      const emv = await dueDate(as, { fine: { modality: '1', amount: '2.00' } }, dayOf(clock.now() + DAY))
      // What other looks left to be delivered would be tried again on the way.
      await as.world.run('UPDATE deliveries SET due_at = NULL')
      await worker.moveTo(clock.now() + 10 * DAY)
      const authorization = await as.world.bearer('partner')
      return (await as.by(authorization)('POST /pix/brcode/emv/', { emv })).body.final_amount
    },
    '102.00',
    '100.00',
  ],
  'final-amount-of-a-float': [
    async (as) => (await check(as, STATIC_CODE)).body.final_amount,
    '10.50',
    '10.500000000000004',
  ],
  'charge-read-as-cheaper': [
    async (as) => (await check(as, (await as.immediate()).body.emv)).body.original_amount,
    '35.90',
    '35.89',
  ],
  'any-amount-for-a-code': [(as) => statusOf(as.pay(STATIC_CODE, '1.00')), 422, 201],
  'charge-paid-twice': [
    async (as) => {
      const { body } = await as.immediate()
      await as.pay(body.emv, '35.90')
      return statusOf(as.pay(body.emv, '35.90'))
    },
    409,
    201,
  ],
  'cancelled-charge-paid': [
    async (as) => {
      const { body } = await as.immediate()
      await as.partner(`DELETE /pix/qrcode/dynamic/immediate/${body.id}`)
      return statusOf(as.pay(body.emv, '35.90'))
    },
    422,
    201,
  ],
  'cancelled-charge-checked': [
    async (as) => {
      const { body } = await as.immediate()
      await as.partner(`DELETE /pix/qrcode/dynamic/immediate/${body.id}`)
      return statusOf(check(as, body.emv))
    },
    422,
    200,
  ],
  'expired-charge-paid': [
    async (as) => {
      const { body } = await as.immediate({ calendar: { expiration: 1 } })
      await as.world.app.worker.moveTo(as.world.app.clock.now() + 2_000)
      return statusOf(as.pay(body.emv, '35.90'))
    },
    422,
    201,
  ],
  'more-than-the-balance': [(as) => statusOf(as.transfer({ amount: '99999999.00' })), 422, 201],
  'centavos-cut-off': [async (as) => (await as.transfer()).body.data.amount, '1.50', '1.00'],
  'end-to-end-id-of-nobody': [
    async (as) => (await as.transfer()).body.data.end_to_end_id.slice(0, 9),
    'E99999010',
    'E00000000',
  ],
}
