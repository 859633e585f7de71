import { tryDecode } from '@partner-payments/brcode'
import type { Actors } from '../actors.ts'
import { KEYS } from '../cast.ts'
import type { charges } from '../faults/charges.ts'
import type { Probe } from '../probe.ts'

const DAY = 86_400_000

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const check = async (as: Actors, emv: string) => (await as.partner('POST /pix/brcode/emv/', { emv })).body

/** A part of what a charge of 1,000.00 comes to, due so many days on. */
const today =
  (part: string, amount: (day: (after: number) => string) => object, due = 20) =>
  async (as: Actors) => {
    const day = (after: number) => dayOf(as.world.app.clock.now() - DAY / 8 + after * DAY)
    const charged = { original: '1000.00', ...amount(day) }
    const { emv } = (await as.dueDate({ amount: charged, calendar: { due_date: day(due) } })).body
    return (await check(as, emv))[part]
  }

/** A part of the same, of a charge that was due ten days ago, as none can be made. */
const late = (part: string, amount: object) => async (as: Actors) => {
  const { emv } = (await as.dueDate({ amount: { original: '1000.00', ...amount } })).body
  const of = 'UPDATE qrcodes SET charge = ? WHERE emv = ?'
  const charge = {
    amount: { original: '1000.00', ...amount },
    additional_infos: [],
    message: null,
    payer: null,
  }
  const due_date = dayOf(as.world.app.clock.now() - DAY / 8 - 10 * DAY)
  const calendar = { due_date, expiration_days: 300 }
  await as.world.run(of, [JSON.stringify({ ...charge, calendar }), emv])
  return (await check(as, emv))[part]
}

/** Whether a part of a late charge is so large that no right number of days comes to it. */
const exceeds = (part: string, amount: object, most: number) => async (as: Actors) =>
  Number(await late(part, amount)(as)) > most

const decoded = async (as: Actors, members: object = {}) => {
  const result = tryDecode((await as.staticCode(members)).body.emv)
  return result.ok && result.code.kind === 'static' ? result.code : undefined
}

/** One percent of 1,000.00 a day is whole tens where it is not compound. */
async function isSimple(as: Actors): Promise<boolean> {
  const interest = await late('interest', { interest: { amount: '1.00', modality: '2' } })(as)
  return Number(interest) % 10 === 0
}

/** What shows each fault of charges. */
export const chargesProbes: Record<keyof typeof charges, Probe> = {
  'discount-until-a-date-ignored': [
    today('discount', (day) => ({ discount: dated('1', ['5.00', day(20)]) })),
    '5.00',
    '0',
  ],
  'discount-of-percent-as-a-value': [
    today('discount', (day) => ({ discount: dated('2', ['10.00', day(20)]) })),
    '100.00',
    '10.00',
  ],
  'discount-after-its-date': [
    today('discount', (day) => ({ discount: dated('1', ['20.00', day(-10)], ['5.00', day(20)]) })),
    '5.00',
    '20.00',
  ],
  'discount-of-one-day': [
    today('discount', () => ({ discount: { amount: '1.00', modality: '3' } })),
    '20.00',
    '1.00',
  ],
  'discount-of-percent-for-one-day': [
    today('discount', () => ({ discount: { amount: '1.00', modality: '5' } })),
    '200.00',
    '10.00',
  ],
  'deduction-rounded': [
    today('deduction', () => ({ original: '123.49', deduction: { amount: '10.00', modality: '2' } })),
    '12.34',
    '12.35',
  ],
  'fine-of-a-value-as-percent': [late('fine', { fine: { amount: '2.00', modality: '1' } }), '2.00', '20.00'],
  'interest-of-a-month-by-the-day': [
    exceeds('interest', { interest: { amount: '3.00', modality: '3' } }, 10),
    false,
    true,
  ],
  'interest-of-a-year-by-the-month': [
    exceeds('interest', { interest: { amount: '12.00', modality: '4' } }, 4),
    false,
    true,
  ],
  'interest-of-interest': [isSimple, true, false],
  'interest-before-the-deduction': [
    late('fine', {
      deduction: { amount: '100.00', modality: '1' },
      fine: { amount: '2.00', modality: '2' },
    }),
    '18.00',
    '20.00',
  ],
  'static-code-without-its-amount': [async (as) => (await decoded(as))?.amount, '35.90', undefined],
  'static-code-without-its-message': [
    async (as) => (await decoded(as, { message: 'Pedido 1' }))?.message,
    'Pedido 1',
    undefined,
  ],
  'static-code-of-another-tx-id': [
    async (as) => {
      const { body } = await as.staticCode()
      const result = tryDecode(body.emv)
      return result.ok && result.code.kind === 'static' && result.code.txid === body.tx_id
    },
    true,
    false,
  ],
  'code-too-long-by-one': [async (as) => tryDecode((await as.dueDate()).body.emv).ok, true, false],
  'image-of-another-charge': [
    async (as) => {
      const [one, two] = [await as.immediate(), await as.immediate()]
      return one.body.qrcode_image === two.body.qrcode_image
    },
    false,
    true,
  ],
  'code-of-the-charge-before': [
    async (as) => {
      await as.dueDate()
      const { emv, tx_id } = (await as.dueDate()).body
      return (await check(as, emv)).tx_id === tx_id
    },
    true,
    false,
  ],
  'beneficiary-of-a-check-another': [
    async (as) => (await check(as, (await as.immediate()).body.emv)).beneficiary.dict_key,
    KEYS.partner,
    KEYS.padaria,
  ],
  'check-without-message': [
    async (as) => (await check(as, (await as.immediate({ message: 'Pedido 1' })).body.emv)).message,
    'Pedido 1',
    null,
  ],
  'check-of-another-due-date': [
    async (as) => (await check(as, (await as.dueDate()).body.emv)).due_date,
    '2999-01-15',
    '2999-01-16',
  ],
  'check-expires-later': [
    async (as) => {
      const { emv, created_at } = (await as.immediate({ calendar: { expiration: 60 } })).body
      return (Date.parse((await check(as, emv)).expiration) - Date.parse(created_at)) / 1000
    },
    60,
    3660,
  ],
  'charge-to-a-foreign-key': [
    async (as) => (await as.immediate({ dict_key: KEYS.beltrana })).status,
    422,
    200,
  ],
  'static-code-to-a-foreign-key': [
    async (as) => (await as.staticCode({ dict_key: KEYS.beltrana })).status,
    422,
    200,
  ],
  'immediate-charge-of-nothing': [
    async (as) => (await as.immediate({ amount: { original: '0.00' } })).status,
    422,
    200,
  ],
}

function dated(modality: string, ...until: readonly (readonly [amount: string, date: string])[]) {
  return { modality, fixedDateDiscount: until.map(([amount, date]) => ({ amount, date })) }
}
