import { type Actors, newTxId } from '../actors.ts'
import type { lists } from '../faults/lists.ts'
import type { Probe } from '../probe.ts'

type Item = Readonly<Record<string, unknown>>

const PATHS = {
  immediate: '/pix/qrcode/dynamic/immediate',
  dueDate: '/pix/qrcode/dynamic/due-date',
} as const
type Kind = keyof typeof PATHS

const page = async (as: Actors, kind: Kind, query = '') =>
  (await as.partner(`GET ${PATHS[kind]}${query}`)).body
const statuses = (items: readonly Item[]) => [...new Set(items.map(({ status }) => status))]

async function made(as: Actors, kind: Kind, count: number, members?: object): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.unshift((await as[kind](members)).body.id)
  return ids
}

async function cancelled(as: Actors, kind: Kind): Promise<string> {
  const [id = ''] = await made(as, kind, 1)
  await as.partner(`DELETE ${PATHS[kind]}/${id}`)
  return id
}

/** How many codes a page holds, of more than it has room for. */
const held = (kind: Kind, query: string, count: number) => async (as: Actors) => {
  await made(as, kind, count)
  return (await page(as, kind, query)).data.length
}

/** Whether the codes that were made last come in their order. */
const inOrder = (kind: Kind) => async (as: Actors) => {
  const ids = await made(as, kind, 8)
  const { data } = await page(as, kind, '?limit=8')
  return data.every((it: Item, i: number) => it.id === ids[i])
}

async function onPageTwo(as: Actors): Promise<unknown[]> {
  await cancelled(as, 'immediate')
  await made(as, 'immediate', 1)
  const { next_cursor } = await page(as, 'immediate', '?status=ATIVA&limit=1')
  const { data } = await page(as, 'immediate', `?status=ATIVA&limit=5&cursor=${next_cursor}`)
  return statuses(data).filter((it) => it !== 'ATIVA')
}

/** What shows each fault of lists. */
export const listsProbes: Record<keyof typeof lists, Probe> = {
  'filter-forgotten-on-page-two': [onPageTwo, [], ['REMOVIDA_PELO_USUARIO_RECEBEDOR']],
  'second-filter-forgotten': [
    async (as) => {
      await made(as, 'dueDate', 1)
      return (await page(as, 'dueDate', '?status=ATIVA&tax_id=98765432100')).data.length > 0
    },
    false,
    true,
  ],
  'filter-by-cancelled-empty': [
    async (as) => {
      const id = await cancelled(as, 'immediate')
      const { data } = await page(as, 'immediate', '?status=REMOVIDA_PELO_USUARIO_RECEBEDOR')
      return data.some((it: Item) => it.id === id)
    },
    true,
    false,
  ],
  'filter-turned-round': [
    async (as) => {
      await cancelled(as, 'dueDate')
      await made(as, 'dueDate', 1)
      return statuses((await page(as, 'dueDate', '?status=ATIVA&limit=5')).data)
    },
    ['ATIVA'],
    ['REMOVIDA_PELO_USUARIO_RECEBEDOR'],
  ],
  'filter-by-tax-id-empty': [
    async (as) => {
      const payer = { tax_id: '11144477735' }
      const [id] = await made(as, 'immediate', 1, { payer })
      return (await page(as, 'immediate', '?tax_id=11144477735')).data[0]?.id === id
    },
    true,
    false,
  ],
  'page-one-short': [held('immediate', '?limit=3', 4), 3, 2],
  'page-one-long': [held('dueDate', '?limit=3', 4), 3, 4],
  'default-limit-of-ten': [held('dueDate', '', 21), 20, 10],
  'limit-of-twenty-at-most': [held('immediate', '?limit=21', 21), 21, 20],
  'item-twice-on-a-page': [
    async (as) => {
      await made(as, 'dueDate', 3)
      const { data } = await page(as, 'dueDate', '?limit=3')
      return new Set(data.map((it: Item) => it.id)).size
    },
    3,
    2,
  ],
  'order-by-tx-id': [
    async (as) => {
      for (const first of ['a', 'b']) await as.dueDate({ tx_id: `${first}${newTxId().slice(1)}` })
      const { data } = await page(as, 'dueDate', '?limit=2')
      return data.map((it: Item) => String(it.tx_id)[0])
    },
    ['b', 'a'],
    ['a', 'b'],
  ],
  'order-unstable': [inOrder('immediate'), true, false],
  'cursor-goes-round': [
    async (as) => {
      await made(as, 'immediate', 1)
      return (await page(as, 'immediate', '?limit=1&status=REMOVIDA_PELO_PSP')).next_cursor
    },
    null,
    'c_OTk5OTk5OTk',
  ],
  'cursor-ends-early': [
    async (as) => {
      await made(as, 'dueDate', 3)
      const { next_cursor } = await page(as, 'dueDate', '?limit=1')
      return (await page(as, 'dueDate', `?limit=1&cursor=${next_cursor}`)).next_cursor === null
    },
    false,
    true,
  ],
  'kinds-mixed': [
    async (as) => {
      await made(as, 'dueDate', 1)
      return (await page(as, 'immediate', '?limit=1')).data.some((it: Item) => it.kind === 'DueDate')
    },
    false,
    true,
  ],
}
