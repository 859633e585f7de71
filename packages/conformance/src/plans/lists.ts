import { isCpf } from '@partner-payments/brcode'
import { defaultNumber } from '../contract/contract.ts'
import { fieldsOf, stringAt, valueAt } from '../contract/json.ts'
import { cursorCandidates } from '../form/own-form.ts'
import type { Sender } from '../send/sender.ts'
import { validBody } from './bodies.ts'
import type { Plan, PlanContext } from './plan.ts'
import { CODE_KINDS, type CodeKind, IMMEDIATE_CODES, isKindChosen, otherKind } from './records.ts'
import { createRecord } from './valid-requests.ts'

/** Walks through lists by pages of several sizes and with filters, before and after records end. */
export const lists: Plan = {
  id: 'lists',
  wants: [
    'lists-paged',
    'lists-filtered',
    'lists-ordered',
    'lists-whole',
    'lists-current',
    'lists-consistent',
  ],
  async run(context) {
    const kinds = CODE_KINDS.filter((kind) => isKindChosen(context, kind))
    const parts = kinds.map((kind) => () => walkCodes(context, kind))
    if (context.isChosen('listWebhooks')) parts.push(() => listManyWebhooks(context))
    await context.sideBySide(parts, (part) => part())
  },
}

/** The records of a page without limit, if the contract declares no default. */
const USUAL_PAGE = 20

/** The records of a page without limit. */
function pageSize({ contract }: PlanContext): number {
  const list = contract.operations.find(({ id }) => id === IMMEDIATE_CODES.list)
  return (list && defaultNumber(list, 'limit')) || USUAL_PAGE
}

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
  { send, form }: Pick<PlanContext, 'send' | 'form'>,
  list: string,
  { query = {}, by = 'partner', pages = 30, between }: Walk = {},
): Promise<void> {
  let cursor: string | undefined
  for (let count = 0; count < pages; count++) {
    const page = cursor ? { ...query, cursor } : query
    const { json } = await send(list, { query: page, by })
    cursor =
      stringAt(json, '/next_cursor') ??
      (await findCursor({ send, form }, { list, query, by, page: json }))
    if (!cursor) return
    if (count === 0) await between?.()
  }
}

interface Paged {
  readonly list: string
  readonly query: Query
  readonly by: Sender
  /** A page, in the form of the contract as far as it is known. */
  readonly page: unknown
}

/** Values of a page that are tried as its cursor. */
const MOST_TRIED = 6

/**
 * The cursor of a service that shows it at another place: the first value of a page that is accepted
 * as a cursor, and leads to other records.
 */
async function findCursor(
  { send, form }: Pick<PlanContext, 'send' | 'form'>,
  { list, query, by, page }: Paged,
): Promise<string | undefined> {
  const isKnown = form.cursorPlace !== undefined || valueAt(page, '/next_cursor') !== undefined
  const ids = idsIn(page)
  if (isKnown || ids.length === 0) return undefined

  for (const [pointer, cursor] of cursorCandidates(list, page).slice(0, MOST_TRIED)) {
    const { json, isAccepted } = await send(list, { query: { ...query, cursor }, by })
    const nextIds = idsIn(json)
    const isNextPage = nextIds.length > 0 && nextIds.every((id) => !ids.includes(id))
    if (!isAccepted || !isNextPage) continue

    form.learnCursor(pointer)
    return cursor
  }
  return undefined
}

function idsIn(page: unknown): readonly unknown[] {
  const records = valueAt(page, '/data')
  return Array.isArray(records) ? records.map((record) => valueAt(record, '/id')) : []
}

/** Walks through the list of a kind of codes, before and after some of them are cancelled. */
async function walkCodes(context: PlanContext, kind: CodeKind): Promise<void> {
  // The payers, by which lists are filtered, so that they are as long as this plan makes them.
  const payers = { many: newTaxId(context), few: newTaxId(context), nobody: newTaxId(context) }
  const ids = await createCodes(context, kind, payers)
  await walkOpen(context, kind, payers)
  await context.lookAgain()

  // Those that end are neither the newest nor the oldest.
  const ending = ids.filter((_, i) => i % 4 === 1)
  await context.sideBySide(ending, (id) => context.send(kind.cancel, { path: { id } }))
  await walkEnded(context, kind, payers)
  await tryCursors(context, kind)
  await context.lookAgain()
}

/** The tax IDs of payers of many codes, of a few, and of none. */
interface Payers {
  readonly many: string
  readonly few: string
  readonly nobody: string
}

async function createCodes(
  context: PlanContext,
  kind: CodeKind,
  { many, few }: Payers,
): Promise<readonly string[]> {
  const ids: string[] = []
  // A page without limit, and a few more.
  const count = pageSize(context) + 3
  // One after the other, which shows the order of the list.
  for (let i = 0; i < count; i++) {
    const isOfFew = i % 6 === 5
    const { id = '' } = await createCodeOfPayer(context, kind, isOfFew ? few : many)
    ids.push(id)
  }
  return ids
}

/** Pages of several sizes. */
async function walkOpen(
  context: PlanContext,
  kind: CodeKind,
  { many, few, nobody }: Payers,
): Promise<void> {
  const walks: readonly Walk[] = [
    { query: {}, pages: 2 },
    { query: { limit: '2' }, pages: 3 },
    { query: { tax_id: many, limit: '1' }, pages: 3 },
    { query: { limit: '11' }, pages: 2 },
    { query: { limit: '100' }, pages: 2 },
    // Pages that are all full.
    { query: { tax_id: many, limit: '10' } },
    { query: { tax_id: few, limit: '3' } },
    { query: { tax_id: nobody } },
  ]
  await context.sideBySide(walks, (one) => walk(context, kind.list, one))
}

/** A walk during which a code is created, and filters by status. */
async function walkEnded(
  context: PlanContext,
  kind: CodeKind,
  { many, few }: Payers,
): Promise<void> {
  const list = kind.list
  const between = () => createCodeOfPayer(context, kind, many)
  await walk(context, list, { query: { tax_id: many, limit: '5' }, between })

  const statuses = ['ATIVA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'CONCLUIDA']
  const walks = statuses.flatMap((status): Walk[] => [
    { query: { status, limit: '3' }, pages: 3 },
    { query: { tax_id: few, status } },
    { query: { tax_id: many, status, limit: '4' } },
  ])
  await context.sideBySide(walks, (one) => walk(context, list, one))
}

/** A cursor of no list, and one of this list for a customer and in the list of the other kind. */
async function tryCursors(context: PlanContext, kind: CodeKind): Promise<void> {
  const { send } = context
  const list = kind.list
  await walk(context, list, { query: { cursor: 'none' } })
  const { json } = await send(list, { query: { limit: '1' } })
  const cursor = stringAt(json, '/next_cursor')
  if (!cursor) return
  await send(list, { query: { cursor }, by: 'customer' })
  await send(otherKind(kind).list, { query: { cursor } })
}

/** Creates a QR code for a payer. */
export function createCodeOfPayer(
  context: PlanContext,
  kind: CodeKind,
  tax_id: string,
): ReturnType<typeof createRecord> {
  const body = validBody(context, kind.create)
  const payer = { name: 'Fulano de Tal', ...fieldsOf(body.payer), tax_id }
  return createRecord(context, kind.create, { body: { ...body, payer } })
}

/** A CPF that no earlier run has used, with its check digits. */
export function newTaxId({ fresh }: Pick<PlanContext, 'fresh'>): string {
  const digits = [...fresh(9)].map((hex) => Number.parseInt(hex, 16) % 10)
  for (let check = 0; check < 100; check++) {
    const number = digits.join('') + String(check).padStart(2, '0')
    if (isCpf(number)) return number
  }
  // Digits that are all the same make no CPF.
  return newTaxId({ fresh })
}

/** Webhooks that are created and deleted again. */
async function listManyWebhooks(context: PlanContext): Promise<void> {
  const { send, sideBySide } = context
  const ids: string[] = []
  // One more than a page of a list that has pages.
  const count = pageSize(context) + 1
  for (let i = 0; i < count; i++) {
    const { id } = await createRecord(context, 'createWebhook')
    if (id) ids.push(id)
  }
  await send('listWebhooks')
  await context.lookAgain()
  await sideBySide(ids, (webhook_id) => send('deleteWebhook', { path: { webhook_id } }))
  await send('listWebhooks')
  await context.lookAgain()
}
