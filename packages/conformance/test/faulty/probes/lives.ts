import { type Actors, charge, HOOK, newTxId, toKey } from '../actors.ts'
import { KEYS } from '../cast.ts'
import type { lives } from '../faults/lives.ts'
import type { Probe } from '../probe.ts'

type Item = Readonly<Record<string, unknown>>

const WEBHOOK = '/partner/webhook'
const IMMEDIATE = '/pix/qrcode/dynamic/immediate'
const DUE_DATE = '/pix/qrcode/dynamic/due-date'
const CANCELLED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'
const PARAMS = '?Loja=1'

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status
const webhook = async (as: Actors, id: string) => (await as.partner(`GET ${WEBHOOK}/${id}`)).body
const listed = async (as: Actors, id: unknown): Promise<Item | undefined> =>
  (await as.partner(`GET ${IMMEDIATE}`)).body.data.find((it: Item) => it.id === id)

/** Whether a code is on two pages, between which another one was created. */
async function onTwoPages(as: Actors): Promise<boolean> {
  for (let i = 0; i < 3; i++) await as.immediate()
  const first = (await as.partner(`GET ${IMMEDIATE}?limit=1`)).body
  await as.immediate()
  const second = (await as.partner(`GET ${IMMEDIATE}?limit=1&cursor=${first.next_cursor}`)).body
  return second.data[0].id === first.data[0].id
}

async function usedAgain(as: Actors): Promise<number> {
  const tx_id = newTxId()
  const { id } = (await as.immediate({ tx_id })).body
  await as.partner(`DELETE ${IMMEDIATE}/${id}`)
  return statusOf(as.immediate({ tx_id }))
}

/** The documents on the second page of those of one. */
async function onPageTwo(as: Actors): Promise<boolean> {
  const [tax_id, other] = ['52998224725', '11144477735']
  for (const it of [tax_id, other, tax_id]) await as.dueDate({ payer: { tax_id: it } })
  const { next_cursor } = (await as.partner(`GET ${DUE_DATE}?tax_id=${tax_id}&limit=1`)).body
  const { data } = (await as.partner(`GET ${DUE_DATE}?tax_id=${tax_id}&cursor=${next_cursor}`)).body
  return data.every((it: { payer?: { tax_id?: string } }) => it.payer?.tax_id === tax_id)
}

async function atOnce(as: Actors): Promise<boolean> {
  const ids = [await as.webhook(), await as.webhook()]
  const shown = await Promise.all(ids.map((id) => webhook(as, id)))
  return shown.every(({ id }, i) => id === ids[i])
}

async function refusedFirst(as: Actors): Promise<number> {
  const { initiation_id } = (await as.customer('POST /pix/dict/check/', { dict_key: KEYS.beltrana })).body
  await as.customer('POST /pix/out/', { ...toKey(initiation_id), amount: '9999999999.99' })
  return statusOf(as.customer('POST /pix/out/', toKey(initiation_id)))
}

async function wrongFirst(as: Actors): Promise<number> {
  const { emv } = (await as.immediate()).body
  await as.pay(emv, '1.00')
  return statusOf(as.pay(emv, '35.90'))
}

async function ofNothingFirst(as: Actors): Promise<number> {
  const body = { ...charge(), calendar: { due_date: '2999-01-15' } }
  await as.partner(`POST ${DUE_DATE}`, { ...body, amount: { original: '0.00' } })
  return statusOf(as.partner(`POST ${DUE_DATE}`, { ...body, amount: { original: '1.00' } }))
}

/** The status of a charge whose payment is rejected, as one to oneself is. */
async function afterRejection(as: Actors): Promise<unknown> {
  const { id, emv } = (await as.immediate()).body
  await as.partner('POST /pix/out/', { type: 'emv', emv, amount: '35.90' })
  await later(as, 1_000)
  return (await listed(as, id))?.status
}

async function afterItsTime(as: Actors): Promise<unknown> {
  const { id } = (await as.immediate({ calendar: { expiration: 1 } })).body
  await later(as, 5_000)
  return (await listed(as, id))?.status
}

async function later({ world }: Actors, ms: number): Promise<void> {
  await world.app.worker.moveTo(world.app.clock.now() + ms)
}

async function cancelledAndChecked(as: Actors): Promise<number> {
  const { id, emv } = (await as.dueDate()).body
  await as.partner(`DELETE ${DUE_DATE}/${id}`)
  return statusOf(as.partner('POST /pix/brcode/emv/', { emv }))
}

const kept = (url: string) => async (as: Actors) => (await webhook(as, await as.webhook({ url }))).url

/** What shows each fault of lives. */
export const livesProbes: Record<keyof typeof lives, Probe> = {
  'pages-by-offset': [onTwoPages, false, true],
  'tx-id-free-after-cancellation': [usedAgain, 409, 200],
  'tax-id-filter-forgotten-on-page-two': [onPageTwo, true, false],
  'reads-at-once-crossed': [atOnce, true, false],
  'update-to-qrcode-kept-as-all': [
    async (as) => {
      const id = await as.webhook()
      await as.partner(`PATCH ${WEBHOOK}/${id}`, { ...HOOK, type: 'qrcode', status: 'active' })
      return (await webhook(as, id)).type
    },
    'qrcode',
    'all',
  ],
  'url-loses-its-query': [kept(HOOK.url + PARAMS), HOOK.url + PARAMS, HOOK.url],
  'url-in-small-letters': [kept(HOOK.url + PARAMS), HOOK.url + PARAMS, `${HOOK.url}?loja=1`],
  'refused-transfer-uses-its-look-up': [refusedFirst, 201, 409],
  'refused-payment-closes-the-charge': [wrongFirst, 201, 409],
  'refused-code-takes-its-tx-id': [ofNothingFirst, 200, 409],
  'rejected-payment-closes-the-charge': [afterRejection, 'ATIVA', 'CONCLUIDA'],
  'expired-charge-listed-as-removed': [afterItsTime, 'ATIVA', 'REMOVIDA_PELO_PSP'],
  'cancelled-due-date-charge-checked': [cancelledAndChecked, 422, 200],
  'due-date-code-lost': [
    async (as) => (await as.partner(`DELETE ${DUE_DATE}/${(await as.dueDate()).body.id}`)).body.status,
    CANCELLED,
    404,
  ],
  'webhooks-beyond-ten-unlisted': [
    async (as) => {
      for (let i = 0; i < 11; i++) await as.webhook()
      return (await as.partner(`GET ${WEBHOOK}/`)).body.data.length > 10
    },
    true,
    false,
  ],
}
