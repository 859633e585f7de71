import { isCpf } from '@partner-payments/brcode'
import { fieldsOf, stringAt } from '../contract/json.ts'
import type { Sender } from '../send/sender.ts'
import { isAnyChosen, KINDS } from './lifecycles.ts'
import { created, type Plan, type PlanContext, validBody } from './plan.ts'

/** Walks through lists by pages of several sizes and with filters, before and after records end. */
export const lists: Plan = {
  id: 'lists',
  wants: ['lists'],
  async run(context) {
    for (const kind of KINDS) if (isAnyChosen(context, kind)) await walkCodes(context, kind)
    if (context.isChosen('listWebhooks')) await listManyWebhooks(context)
  },
}

/** The records of a page without limit, and a few more. */
const PAGE = 20
const MANY = PAGE + 3

type Query = Readonly<Record<string, string>>

interface Walk {
  readonly query?: Query
  readonly by?: Sender
  /** Pages, at most. Default: all, up to 30. */
  readonly pages?: number
  /** What happens after the first page. */
  readonly between?: () => Promise<unknown>
}

/** Walks through a list, page by page. */
export async function walk(
  { send }: Pick<PlanContext, 'send'>,
  list: string,
  { query = {}, by = 'partner', pages = 30, between }: Walk = {},
): Promise<void> {
  let cursor: string | undefined
  for (let count = 0; count < pages; count++) {
    const { json } = await send(list, { query: { ...query, ...(cursor && { cursor }) }, by })
    cursor = stringAt(json, '/next_cursor')
    if (!cursor) return
    if (count === 0) await between?.()
  }
}

/**
 * The payers of the records, by which lists are filtered, so that they are as long as this plan
 * makes them.
 */
async function walkCodes(context: PlanContext, kind: (typeof KINDS)[number]): Promise<void> {
  const { send } = context
  const list = `list${kind}s`
  const [many, few, nobody] = [newTaxId(context), newTaxId(context), newTaxId(context)]
  const create = (tax_id = many) => createFor(context, kind, tax_id)
  const ids: string[] = []
  for (let i = 0; i < MANY; i++) ids.push((await create(i % 6 === 5 ? few : many)).id ?? '')
  const go = (query: Query, more: Walk = {}) => walk(context, list, { query, ...more })
  await go({}, { pages: 2 })
  await go({ limit: '2' }, { pages: 3 })
  await go({ tax_id: many, limit: '1' }, { pages: 3 })
  await go({ limit: '11' }, { pages: 2 })
  await go({ limit: '100' }, { pages: 2 })
  // Pages that are all full.
  await go({ tax_id: many, limit: '10' })
  await go({ tax_id: few, limit: '3' })
  await go({ tax_id: nobody })
  await context.lookAgain()
  // Those that end are neither the newest nor the oldest.
  for (const id of ids.filter((_, i) => i % 4 === 1)) await send(`cancel${kind}`, { path: { id } })
  await go({ tax_id: many, limit: '5' }, { between: () => create() })
  for (const status of ['ATIVA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'CONCLUIDA']) {
    await go({ status, limit: '3' }, { pages: 3 })
    await go({ tax_id: few, status })
    await go({ tax_id: many, status, limit: '4' })
  }
  await go({ cursor: 'none' })
  // A cursor of this list in the other one, and for a customer.
  const cursor = stringAt((await send(list, { query: { limit: '1' } })).json, '/next_cursor')
  if (cursor) {
    await send(list, { query: { cursor }, by: 'customer' })
    await send(`list${KINDS.find((it) => it !== kind)}s`, { query: { cursor } })
  }
  await context.lookAgain()
}

/** Creates a QR code for a payer. */
export function createFor(
  context: PlanContext,
  kind: (typeof KINDS)[number],
  tax_id: string,
): ReturnType<typeof created> {
  const body = validBody(context, `create${kind}`)
  const payer = { name: 'Fulano de Tal', ...fieldsOf(body.payer), tax_id }
  return created(context, `create${kind}`, { body: { ...body, payer } })
}

/** A CPF that no earlier run has used, with its check digits. */
export function newTaxId({ fresh }: Pick<PlanContext, 'fresh'>): string {
  const digits = [...fresh(9)].map((it) => Number.parseInt(it, 16) % 10).join('')
  const numbers = Array.from({ length: 100 }, (_, i) => digits + String(i).padStart(2, '0'))
  return numbers.find(isCpf) ?? newTaxId({ fresh })
}

/** Webhooks that are created and deleted again. */
async function listManyWebhooks(context: PlanContext): Promise<void> {
  const { send } = context
  const ids: string[] = []
  for (let i = 0; i < PAGE + 1; i++) ids.push((await created(context, 'createWebhook')).id ?? '')
  await send('listWebhooks')
  await context.lookAgain()
  for (const webhook_id of ids.filter(Boolean))
    await send('deleteWebhook', { path: { webhook_id } })
  await send('listWebhooks')
  await context.lookAgain()
}
