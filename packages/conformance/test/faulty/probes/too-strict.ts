import { crc16, encode, tryDecode } from '@partner-payments/brcode'
import { type Actors, charge, HOOK, toKey } from '../actors.ts'
import { basic, CREDENTIALS, KEYS, STATIC_CODE } from '../cast.ts'
import type { tooStrict } from '../faults/too-strict.ts'
import type { Probe } from '../probe.ts'

const DAY = 86_400_000
const WEBHOOK = '/partner/webhook'
const DUE_DATE = '/pix/qrcode/dynamic/due-date'
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status
const check = (as: Actors, emv: string) => statusOf(as.partner('POST /pix/brcode/emv/', { emv }))
const dayOf = ({ world }: Actors, after = 0) =>
  new Date(world.app.clock.now() - DAY / 8 + after * DAY).toISOString().slice(0, 10)
const summed = (text: string) => text + crc16(text).toString(16).toUpperCase().padStart(4, '0')
const rewritten = (edit: (text: string) => string) => (as: Actors) =>
  check(as, summed(edit(STATIC_CODE.slice(0, -4))))

/** Does something once the time of the sandbox has moved on. */
async function later({ world }: Actors, ms: number): Promise<void> {
  // What other looks left to be delivered would be tried again on the way.
  await world.run('UPDATE deliveries SET due_at = NULL')
  await world.app.worker.moveTo(world.app.clock.now() + ms)
}

const onInactive =
  (method: string, behind = '') =>
  async (as: Actors) => {
    const id = await as.webhook()
    await as.partner(`PATCH ${WEBHOOK}/${id}`, { ...HOOK, status: 'inactive' })
    return statusOf(as.partner(`${method} ${WEBHOOK}/${id}${behind}`))
  }

async function onPageTwo(as: Actors): Promise<number> {
  for (let i = 0; i < 2; i++) await as.dueDate()
  const { next_cursor } = (await as.partner(`GET ${DUE_DATE}?status=ATIVA&limit=1`)).body
  return statusOf(as.partner(`GET ${DUE_DATE}?status=ATIVA&cursor=${next_cursor}`))
}

/** The status of a transfer with a look-up that something came after. */
const paidAfter = (work: (as: Actors) => Promise<unknown>) => async (as: Actors) => {
  const look = () => as.customer('POST /pix/dict/check/', { dict_key: KEYS.beltrana })
  const { initiation_id } = (await look()).body
  await work(as)
  return statusOf(as.customer('POST /pix/out/', toKey(initiation_id)))
}

async function afterHalf(as: Actors): Promise<number> {
  const { access_token } = (await as.by(basic(CREDENTIALS.partner))('POST /auth/partner/token/')).body
  await later(as, 2_000_000)
  return statusOf(as.by(`Bearer ${access_token}`)('GET /partner/user'))
}

async function accented(as: Actors): Promise<number> {
  const result = tryDecode(STATIC_CODE)
  if (!result.ok || result.code.kind !== 'static') return 0
  const { objects: _, ...code } = result.code
  return check(
    as,
    summed(
      encode({ ...code, merchantName: 'Sao Joao' })
        .slice(0, -4)
        .replace('Sao Joao', 'São João'),
    ),
  )
}

async function overdue(as: Actors): Promise<number> {
  const { emv } = (await as.dueDate()).body
  const calendar = { due_date: dayOf(as, -10), expiration_days: 300 }
  const kept = { amount: { original: '10.00' }, calendar, additional_infos: [], message: null, payer: null }
  await as.world.run('UPDATE qrcodes SET charge = ? WHERE emv = ?', [JSON.stringify(kept), emv])
  return check(as, emv)
}

async function afterTwoHours(as: Actors): Promise<number> {
  const { emv } = (await as.immediate()).body
  await later(as, 7_200_000)
  const ask = as.by(await as.world.bearer('partner'))
  return statusOf(ask('POST /pix/brcode/emv/', { emv }))
}

async function paidTwice(as: Actors): Promise<number> {
  const { emv } = (await as.staticCode()).body
  await as.pay(emv, '35.90')
  return statusOf(as.pay(emv, '35.90'))
}

/** What shows each fault of strictness. */
export const tooStrictProbes: Record<keyof typeof tooStrict, Probe> = {
  'cursor-beside-a-filter-refused': [onPageTwo, 200, 400],
  'inactive-webhook-not-deleted': [onInactive('DELETE'), 204, 404],
  'inactive-webhook-not-rotated': [onInactive('PATCH', '/secret'), 200, 404],
  'same-again-refused': [
    async (as) =>
      statusOf(as.partner(`PATCH ${WEBHOOK}/${await as.webhook()}`, { ...HOOK, status: 'active' })),
    200,
    422,
  ],
  'new-look-up-ends-the-old': [
    paidAfter((as) => as.customer('POST /pix/dict/check/', { dict_key: KEYS.beltrana })),
    201,
    422,
  ],
  'initiation-ends-after-ten-minutes': [paidAfter((as) => later(as, 900_000)), 201, 422],
  'tokens-end-after-half-their-time': [afterHalf, 200, 401],
  'body-of-40-kb-refused': [(as) => statusOf(as.transfer({ padding: 'x'.repeat(40_000) })), 201, 413],
  'gui-in-capitals-refused': [rewritten((it) => it.replace('br.gov.bcb.pix', 'BR.GOV.BCB.PIX')), 200, 422],
  'accents-in-a-code-refused': [accented, 200, 422],
  'other-template-refused': [rewritten((it) => it.replace(/^00020126/, '00020127')), 200, 422],
  'overdue-charge-closed-at-once': [overdue, 200, 422],
  'charge-ends-in-an-hour': [afterTwoHours, 200, 422],
  'due-today-refused': [(as) => statusOf(as.dueDate({ calendar: { due_date: dayOf(as) } })), 200, 422],
  'payment-today-refused': [(as) => statusOf(as.transfer({ payment_date: dayOf(as) })), 201, 422],
  'discount-until-the-due-date-refused': [
    (as) => {
      const discount = { modality: '1', fixedDateDiscount: [{ amount: '5.00', date: '2999-01-15' }] }
      const amount = { original: '35.90', discount }
      return statusOf(
        as.partner(`POST ${DUE_DATE}`, { ...charge(), amount, calendar: { due_date: '2999-01-15' } }),
      )
    },
    200,
    422,
  ],
  'static-code-paid-once': [paidTwice, 201, 409],
  'basic-in-small-letters-refused': [
    (as) => statusOf(as.by(basic(CREDENTIALS.partner).replace('B', 'b'))('POST /auth/partner/token/')),
    200,
    401,
  ],
  'query-in-url-refused': [
    (as) => statusOf(as.partner(`POST ${WEBHOOK}`, { ...HOOK, url: `${HOOK.url}?loja=1` })),
    201,
    400,
  ],
}
