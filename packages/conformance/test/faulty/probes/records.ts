import { type Actors, charge, HOOK, newTxId } from '../actors.ts'
import { USERS } from '../cast.ts'
import type { records } from '../faults/records.ts'
import type { Probe } from '../probe.ts'

type Item = Readonly<Record<string, unknown>>

const WEBHOOK = '/partner/webhook'
const IMMEDIATE = '/pix/qrcode/dynamic/immediate'
const DUE_DATE = '/pix/qrcode/dynamic/due-date'
const USER = `GET /partner/user/${USERS.partner.user_id}`
const CANCELLED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'
const INACTIVE = { url: HOOK.url, type: 'transfer', status: 'inactive' }

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status
const webhook = async (as: Actors, id: string) => (await as.partner(`GET ${WEBHOOK}/${id}`)).body
const listed = async (as: Actors, line: string): Promise<Item[]> =>
  (await as.partner(`GET ${line}`)).body.data
const onList = async (as: Actors, id: string) => (await listed(as, `${WEBHOOK}/`)).find((it) => it.id === id)
const update = (as: Actors, id: string, body: object) => as.partner(`PATCH ${WEBHOOK}/${id}`, body)
const rotate = (as: Actors, id: string) => as.partner(`PATCH ${WEBHOOK}/${id}/secret`)
const cancel = (as: Actors, path: string, id: string) => as.partner(`DELETE ${path}/${id}`)

/** A second or more later, by the clock of the service. */
const tick = ({ world: { app } }: Actors) => app.worker.moveTo(app.clock.now() + 2_000)

/** A member of a webhook that was inactive and of type transfer when its secret was changed. */
const rotated = (member: string) => async (as: Actors) => {
  const id = await as.webhook()
  await update(as, id, INACTIVE)
  await rotate(as, id)
  return (await webhook(as, id))[member]
}

async function removed(as: Actors): Promise<string> {
  const id = await as.webhook()
  await as.partner(`DELETE ${WEBHOOK}/${id}`)
  return id
}

/** An immediate code that was paid, and that is settled. */
async function paid(as: Actors): Promise<{ id: string; emv: string }> {
  const { body } = await as.immediate()
  await as.customer('POST /pix/brcode/emv/', { emv: body.emv })
  await as.pay(body.emv, '35.90')
  await tick(as)
  return body
}

/** What becomes of a webhook when something is done to another. */
const beside = (work: (as: Actors, id: string) => Promise<unknown>) => async (as: Actors) => {
  const url = `https://loja.example/${newTxId()}`
  const [first, second] = [await as.webhook({ url }), await as.webhook({ url })]
  await work(as, second)
  const { status, code } = await webhook(as, first)
  return code ?? status
}

/** What shows each fault of records. */
export const recordsProbes: Record<keyof typeof records, Probe> = {
  'listed-as-another-type': [
    async (as) => (await onList(as, await as.webhook({ type: 'qrcode' })))?.type,
    'qrcode',
    'all',
  ],
  'listed-with-another-url': [
    async (as) => (await onList(as, await as.webhook()))?.url,
    HOOK.url,
    'https://loja.example',
  ],
  'code-listed-with-another-amount': [
    async (as) => {
      const { id } = (await as.dueDate({ amount: { original: '35.91' } })).body
      return (await listed(as, DUE_DATE)).find((it) => it.id === id)?.amount
    },
    { original: '35.91' },
    { original: '35.00' },
  ],
  'list-behind-updates': [
    async (as) => {
      const id = await as.webhook()
      await update(as, id, INACTIVE)
      return (await onList(as, id))?.status
    },
    'inactive',
    'active',
  ],
  'update-changes-all': [beside((as, id) => update(as, id, INACTIVE)), 'active', 'inactive'],
  'deletion-by-url': [beside((as, id) => as.partner(`DELETE ${WEBHOOK}/${id}`)), 'active', 'not_found'],
  'cancellation-of-the-one-before': [
    async (as) => {
      const [first, second] = [await as.dueDate(), await as.dueDate()]
      await cancel(as, DUE_DATE, second.body.id)
      return (await listed(as, DUE_DATE)).find((it) => it.id === first.body.id)?.status
    },
    'ATIVA',
    CANCELLED,
  ],
  'webhook-of-the-same-url-replaced': [beside(async () => undefined), 'active', 'not_found'],
  'update-makes-it-new': [
    async (as) => {
      const id = await as.webhook()
      const { created_at } = await webhook(as, id)
      await update(as, id, INACTIVE)
      return (await webhook(as, id)).created_at === created_at
    },
    true,
    false,
  ],
  'updated-at-stays': [
    async (as) => {
      const id = await as.webhook()
      await tick(as)
      const { body } = await update(as, id, INACTIVE)
      return body.updated_at > body.created_at
    },
    true,
    false,
  ],
  'updated-at-stays-on-cancellation': [
    async (as) => {
      const { id } = (await as.immediate()).body
      await tick(as)
      const { body } = await cancel(as, IMMEDIATE, id)
      return body.updated_at > body.created_at
    },
    true,
    false,
  ],
  'deleted-webhook-changed': [async (as) => statusOf(update(as, await removed(as), INACTIVE)), 404, 200],
  'deleted-secret-rotated': [async (as) => statusOf(rotate(as, await removed(as))), 404, 200],
  'rotation-reactivates': [rotated('status'), 'inactive', 'active'],
  'rotation-forgets-the-type': [rotated('type'), 'transfer', 'all'],
  'paid-code-cancelled': [async (as) => statusOf(cancel(as, IMMEDIATE, (await paid(as)).id)), 409, 200],
  'paid-code-listed-as-open': [
    async (as) => {
      const { id } = await paid(as)
      return (await listed(as, IMMEDIATE)).find((it) => it.id === id)?.status
    },
    'CONCLUIDA',
    'ATIVA',
  ],
  'paid-code-checked': [
    async (as) => statusOf(as.customer('POST /pix/brcode/emv/', { emv: (await paid(as)).emv })),
    422,
    200,
  ],
  'cancellation-forgets-the-payer': [
    async (as) => {
      const payer = { name: 'Beltrana de Tal' }
      return (await cancel(as, DUE_DATE, (await as.dueDate({ payer })).body.id)).body.payer
    },
    { name: 'Beltrana de Tal' },
    null,
  ],
  'cancellation-without-revision': [
    async (as) => {
      const { id } = (await as.immediate()).body
      await cancel(as, IMMEDIATE, id)
      return (await listed(as, IMMEDIATE)).find((it) => it.id === id)?.revision
    },
    1,
    0,
  ],
  'foreign-tx-id-taken': [
    async (as) => {
      const body = { ...charge(), amount: { original: '1.00' } }
      await as.partner(`POST ${IMMEDIATE}`, body)
      return statusOf(as.other(`POST ${IMMEDIATE}`, body))
    },
    422,
    409,
  ],
  'tx-id-used-at-once': [
    async (as) => {
      const tx_id = newTxId()
      const all = await Promise.all(Array.from({ length: 4 }, () => statusOf(as.dueDate({ tx_id }))))
      return all.filter((status) => status === 200).length
    },
    1,
    4,
  ],
  'refused-url-kept': [
    async (as) => {
      const id = await as.webhook()
      await update(as, id, { url: 'https://loja.example/outra', type: 'none', status: 'active' })
      return (await webhook(as, id)).url
    },
    HOOK.url,
    'https://loja.example/outra?',
  ],
  'cancel-of-the-other-kind': [
    async (as) => statusOf(cancel(as, IMMEDIATE, (await as.dueDate()).body.id)),
    404,
    200,
  ],
  'user-listed-twice': [async (as) => (await as.partner('GET /partner/user')).body.users.length, 1, 2],
  'webhook-listed-twice': [
    async (as) => {
      const id = await as.webhook()
      return (await listed(as, `${WEBHOOK}/`)).filter((it) => it.id === id).length
    },
    1,
    2,
  ],
  'user-shown-with-another-email': [
    async (as) => (await as.partner(USER)).body.user.email,
    'fulano@example.com',
    'nao-fulano@example.com',
  ],
  'user-of-another-id-shown': [
    async (as) => (await as.partner(USER)).body.user_id === USERS.partner.user_id,
    true,
    false,
  ],
}
