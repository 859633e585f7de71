import { type Actors, HOOK, newTxId } from '../actors.ts'
import type { state } from '../faults/state.ts'
import type { Probe } from '../probe.ts'

type Item = Readonly<Record<string, unknown>>

const IMMEDIATE = '/pix/qrcode/dynamic/immediate'
const DUE_DATE = '/pix/qrcode/dynamic/due-date'
const WEBHOOK = '/partner/webhook'
const OTHER = 'https://loja.example/outra'

const webhook = async (as: Actors, id: string) => (await as.partner(`GET ${WEBHOOK}/${id}`)).body
const webhooks = async (as: Actors): Promise<Item[]> => (await as.partner(`GET ${WEBHOOK}/`)).body.data
const listed = async (as: Actors, line: string): Promise<Item[]> =>
  (await as.partner(`GET ${line}`)).body.data
const ids = (items: readonly Item[]) => items.map(({ id }) => id)

/** A member of a webhook after a change of all of them. */
const changed = (member: string) => async (as: Actors) => {
  const id = await as.webhook()
  await as.partner(`PATCH ${WEBHOOK}/${id}`, { url: OTHER, type: 'transfer', status: 'inactive' })
  return (await webhook(as, id))[member]
}

/** The answers of two cancellations of one code. */
async function cancelledTwice(as: Actors, kind: 'immediate' | 'dueDate') {
  const { body } = await as[kind]()
  const line = `DELETE ${kind === 'immediate' ? IMMEDIATE : DUE_DATE}/${body.id}`
  return [await as.partner(line), await as.partner(line)] as const
}

/** The ids of two pages of two, of four codes made now. */
async function twoPages(as: Actors, path: string, kind: 'immediate' | 'dueDate') {
  const made: unknown[] = []
  for (let i = 0; i < 4; i++) made.unshift((await as[kind]()).body.id)
  const { body: first } = await as.partner(`GET ${path}?limit=2`)
  const { body: second } = await as.partner(`GET ${path}?limit=2&cursor=${first.next_cursor}`)
  const seen = ids([...first.data, ...second.data])
  return seen.map((id) => made.indexOf(id))
}

async function lastCursor(as: Actors): Promise<unknown> {
  let cursor = ''
  for (let i = 0; i < 50; i++) {
    const { body } = await as.partner(`GET ${IMMEDIATE}?limit=100${cursor}`)
    if (body.next_cursor === null) return 'ends'
    cursor = `&cursor=${body.next_cursor}`
  }
  return 'goes on'
}

async function isNewestFirst(create: () => Promise<unknown>, list: () => Promise<Item[]>) {
  const first = await create()
  const second = await create()
  const seen = ids(await list())
  return seen.indexOf(second) < seen.indexOf(first)
}

/** What shows each fault of this kind. */
export const stateProbes: Record<keyof typeof state, Probe> = {
  'webhook-lost': [async (as) => (await webhook(as, await as.webhook())).status, 'active', 404],
  'list-misses-the-newest': [async (as) => contains(await as.webhook(), await webhooks(as)), true, false],
  'immediate-code-lost': [
    async (as) => contains((await as.immediate()).body.id, await listed(as, IMMEDIATE)),
    true,
    false,
  ],
  'change-not-kept': [changed('status'), 'inactive', 'active'],
  'url-not-kept': [changed('url'), OTHER, HOOK.url],
  'deletion-not-done': [
    async (as) => {
      const id = await as.webhook()
      await as.partner(`DELETE ${WEBHOOK}/${id}`)
      return (await as.partner(`GET ${WEBHOOK}/${id}`)).status
    },
    404,
    200,
  ],
  'deleted-still-listed': [
    async (as) => {
      const id = await as.webhook()
      await as.partner(`DELETE ${WEBHOOK}/${id}`)
      return contains(id, await webhooks(as))
    },
    false,
    true,
  ],
  'deleted-again': [
    async (as) => {
      const id = await as.webhook()
      await as.partner(`DELETE ${WEBHOOK}/${id}`)
      return (await as.partner(`DELETE ${WEBHOOK}/${id}`)).status
    },
    404,
    204,
  ],
  'cancellation-not-kept': [
    async (as) => {
      await cancelledTwice(as, 'immediate')
      return (await listed(as, IMMEDIATE))[0]?.status
    },
    'REMOVIDA_PELO_USUARIO_RECEBEDOR',
    'ATIVA',
  ],
  'cancelled-listed-as-open': [
    async (as) => {
      await cancelledTwice(as, 'dueDate')
      return (await listed(as, DUE_DATE))[0]?.status
    },
    'REMOVIDA_PELO_USUARIO_RECEBEDOR',
    'ATIVA',
  ],
  'second-cancellation-refused': [async (as) => (await cancelledTwice(as, 'dueDate'))[1].status, 200, 404],
  'second-cancellation-counted': [
    async (as) => (await cancelledTwice(as, 'immediate')).map(({ body }) => body.revision),
    [1, 1],
    [1, 2],
  ],
  'secret-stays': [
    async (as) => {
      const { body } = await as.partner(`POST ${WEBHOOK}`, HOOK)
      return (await as.partner(`PATCH ${WEBHOOK}/${body.id}/secret`)).body.secret === body.secret
    },
    false,
    true,
  ],
  'tx-id-used-twice': [
    async (as) => {
      const tx_id = newTxId()
      await as.immediate({ tx_id })
      return (await as.immediate({ tx_id })).status
    },
    409,
    200,
  ],
  'tx-id-used-by-both-kinds': [
    async (as) => {
      const tx_id = newTxId()
      await as.immediate({ tx_id })
      return (await as.dueDate({ tx_id })).status
    },
    409,
    200,
  ],
  'refused-change-kept': [
    async (as) => {
      const id = await as.webhook()
      await as.partner(`PATCH ${WEBHOOK}/${id}`, { ...HOOK, type: 'everything', status: 'inactive' })
      return (await webhook(as, id)).status
    },
    'active',
    'inactive',
  ],
  'refused-webhook-kept': [
    async (as) => {
      const before = (await webhooks(as)).length
      await as.partner(`POST ${WEBHOOK}`, { ...HOOK, type: 'everything' })
      return (await webhooks(as)).length - before
    },
    0,
    1,
  ],
  'refused-code-kept': [
    async (as) => {
      const { body } = await as.immediate()
      await as.immediate({ tx_id: body.tx_id })
      return (await listed(as, IMMEDIATE))[0]?.id === body.id
    },
    true,
    false,
  ],
  'limit-ignored': [
    async (as) => {
      for (let i = 0; i < 3; i++) await as.immediate()
      return (await listed(as, `${IMMEDIATE}?limit=2`)).length === 2
    },
    true,
    false,
  ],
  'item-on-two-pages': [(as) => twoPages(as, IMMEDIATE, 'immediate'), [0, 1, 2, 3], [0, 1, 1, 2]],
  'item-on-no-page': [(as) => twoPages(as, DUE_DATE, 'dueDate'), [0, 1, 2, 3], [0, 1, 3]],
  'cursor-never-ends': [lastCursor, 'ends', 'goes on'],
  'status-filter-ignored': [
    async (as) => {
      await as.immediate()
      return (await listed(as, `${IMMEDIATE}?status=REMOVIDA_PELO_PSP`)).length > 0
    },
    false,
    true,
  ],
  'tax-id-filter-ignored': [
    async (as) => {
      await as.dueDate()
      return (await listed(as, `${DUE_DATE}?tax_id=11144477735`)).length > 0
    },
    false,
    true,
  ],
  'filter-misses-the-newest': [
    async (as) => contains((await as.immediate()).body.id, await listed(as, `${IMMEDIATE}?status=ATIVA`)),
    true,
    false,
  ],
  'codes-oldest-first': [
    (as) =>
      isNewestFirst(
        async () => (await as.immediate()).body.id,
        () => listed(as, IMMEDIATE),
      ),
    true,
    false,
  ],
  'webhooks-oldest-first': [
    (as) =>
      isNewestFirst(
        () => as.webhook(),
        () => webhooks(as),
      ),
    true,
    false,
  ],
  'updated-before-created': [
    async (as) => {
      const id = await as.webhook()
      const { body } = await as.partner(`PATCH ${WEBHOOK}/${id}`, { ...HOOK, status: 'inactive' })
      return body.updated_at >= body.created_at
    },
    true,
    false,
  ],
  'list-shows-secrets': [
    async (as) => {
      const { body } = await as.partner(`POST ${WEBHOOK}`, HOOK)
      return (await webhooks(as))[0]?.secret === body.secret
    },
    false,
    true,
  ],
  'url-kept-otherwise': [async (as) => (await webhook(as, await as.webhook())).url, HOOK.url, `${HOOK.url}?`],
  'webhook-type-kept-otherwise': [
    async (as) => (await webhook(as, await as.webhook({ type: 'transfer' }))).type,
    'transfer',
    'all',
  ],
  'email-of-payer-lost': [
    async (as) => (await as.dueDate({ payer: { email: 'fulano@example.com' } })).body.payer,
    { email: 'fulano@example.com' },
    {},
  ],
  'infos-turned-round': [
    async (as) => {
      const additional_infos = ['a', 'b'].map((name) => ({ name, value: '' }))
      const { body } = await as.immediate({ additional_infos })
      return body.additional_infos.map(({ name }: Item) => name)
    },
    ['a', 'b'],
    ['b', 'a'],
  ],
  'expiration-kept-otherwise': [
    async (as) => (await as.immediate({ calendar: { expiration: 60 } })).body.calendar.expiration,
    60,
    86_400,
  ],
  'description-lost': [async (as) => (await as.transfer()).body.data.description, 'Pedido 1', ''],
}

function contains(id: unknown, items: readonly Item[]): boolean {
  return ids(items).includes(id)
}
