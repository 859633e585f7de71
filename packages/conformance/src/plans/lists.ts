import { readDefaultNumber } from '../contract/contract.ts'
import { stringAt } from '../contract/json.ts'
import { CANCELLED, OPEN, PAID } from '../contract/words.ts'
import { createCodeOfPayer, newTaxId } from './payers.ts'
import type { Plan, PlanContext } from './plan.ts'
import { CODE_KINDS, type CodeKind, IMMEDIATE_CODES, isKindChosen, otherKind } from './records.ts'
import { createRecord } from './valid-requests.ts'
import { NO_CURSOR, type Walk, walkList } from './walk-list.ts'

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
  /**
   * Walks through the lists of both kinds of codes, and lists many webhooks. Leaves out kinds whose operations are not
   * checked in this run.
   */
  async run(context) {
    const kinds = CODE_KINDS.filter((kind) => isKindChosen(context, kind))
    const parts = kinds.map((kind) => () => walkCodes(context, kind))
    if (context.isChosen('listWebhooks')) parts.push(() => listManyWebhooks(context))
    await context.sideBySide(parts, (part) => part())
  },
}

/** The size of a page without the parameter `limit`, if the contract declares no default. */
const USUAL_PAGE_SIZE = 20

/** The number of records on a page without the parameter `limit`. */
function pageSize({ contract }: PlanContext): number {
  const list = contract.operations.find(({ id }) => id === IMMEDIATE_CODES.list)
  const declaredSize = list && readDefaultNumber(list, 'limit')
  return declaredSize || USUAL_PAGE_SIZE
}

/**
 * Creates codes of a kind, walks through their list, cancels every fourth code, and walks again. A walk requests
 * a list page by page, by the cursor of each page.
 */
async function walkCodes(context: PlanContext, kind: CodeKind): Promise<void> {
  // Lists that are filtered by a new payer have only the codes of this plan.
  const payers = { many: newTaxId(context), few: newTaxId(context), nobody: newTaxId(context) }
  const ids = await createCodes(context, kind, payers)
  await walkOpen(context, kind, payers)
  await context.repeatLaggingReads()

  // Every fourth, and so neither the newest nor the oldest.
  const cancelledIds = ids.filter((_, i) => i % 4 === 1)
  await context.sideBySide(cancelledIds, (id) => context.send(kind.cancel, { path: { id } }))
  const reads = [() => walkEnded(context, kind, payers), () => tryCursors(context, kind)]
  await context.sideBySide(reads, (read) => read())
  await context.repeatLaggingReads()
}

/** The tax IDs of payers of many codes, of a few, and of none. */
interface Payers {
  readonly many: string
  readonly few: string
  readonly nobody: string
}

/**
 * Creates three more codes than a page holds: most of them for the payer `many`, every sixth for `few`.
 * Returns their ids in the order of their creation.
 */
async function createCodes(
  context: PlanContext,
  kind: CodeKind,
  { many, few }: Payers,
): Promise<readonly string[]> {
  const count = pageSize(context) + 3
  const records = await createInOrder(context, count, (i) => {
    const isEverySixth = i % 6 === 5
    return createCodeOfPayer(context, kind, isEverySixth ? few : many)
  })
  // A refused one keeps its place, with an empty id.
  return records.map(({ id = '' }) => id)
}

/** So many records are always created one after the other. */
const IN_ORDER = 8

/**
 * Creates so many records: the last eight one after the other, which shows the order of their list, and the others
 * before them side by side. Returns what `create` returned for each, in this order.
 *
 * @param create Creates the record with an index from 0.
 */
async function createInOrder<Result>(
  { sideBySide }: PlanContext,
  count: number,
  create: (i: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const indexes = Array.from({ length: count }, (_, i) => i)
  const firstIndexes = indexes.slice(0, -IN_ORDER)
  const lastIndexes = indexes.slice(-IN_ORDER)

  const results = [...(await sideBySide(firstIndexes, create))]
  for (const i of lastIndexes) results.push(await create(i))
  return results
}

/** Walks through the list with pages of several sizes, and by each payer, while all codes are open. */
async function walkOpen(
  context: PlanContext,
  kind: CodeKind,
  { many, few, nobody }: Payers,
): Promise<void> {
  const walks: readonly Walk[] = [
    // Shows how the service leads to the next page.
    { query: { limit: '2' }, maxPages: 3 },
    // Whole lists on few pages, which show the records that later walks lose between two of their pages.
    { query: { limit: '100' }, maxPages: 2 },
    { query: { tax_id: many, limit: '30' }, maxPages: 2 },
    { query: {}, maxPages: 2 },
    { query: { tax_id: many, limit: '1' }, maxPages: 3 },
    { query: { limit: '11' }, maxPages: 2 },
    // Pages that are all full.
    { query: { tax_id: many, limit: '10' } },
    { query: { tax_id: few, limit: '3' } },
    { query: { tax_id: nobody } },
  ]
  await context.sideBySide(walks, (walk) => walkList(context, kind.list, walk))
}

/**
 * Walks through the list after some codes were cancelled: once while another code is created between two
 * pages, and then with each status as a filter.
 */
async function walkEnded(
  context: PlanContext,
  kind: CodeKind,
  { many, few }: Payers,
): Promise<void> {
  const list = kind.list
  const afterFirstPage = () => createCodeOfPayer(context, kind, many)
  await walkList(context, list, { query: { tax_id: many, limit: '5' }, afterFirstPage })

  const statuses = [OPEN, CANCELLED, PAID]
  const walks = statuses.flatMap((status): Walk[] => [
    { query: { status, limit: '3' }, maxPages: 3 },
    { query: { tax_id: few, status } },
    { query: { tax_id: many, status, limit: '4' } },
  ])
  await context.sideBySide(walks, (walk) => walkList(context, list, walk))
}

/**
 * Sends cursors that the service must refuse: one that no page has shown, and the cursor of this list as a
 * customer and to the other list.
 */
async function tryCursors(context: PlanContext, kind: CodeKind): Promise<void> {
  const { send } = context
  const list = kind.list
  await walkList(context, list, { query: { cursor: NO_CURSOR } })
  // A cursor that leads to the same page again shows best where each page has one record.
  const [firstPage] = await walkList(context, list, { query: { limit: '1' }, maxPages: 2 })
  const cursor = stringAt(firstPage, '/next_cursor')
  if (!cursor) return

  await send(list, { query: { cursor }, by: 'customer' })
  await send(otherKind(kind).list, { query: { cursor } })
}

/** Creates more webhooks than a page has, lists them, and deletes them again. */
async function listManyWebhooks(context: PlanContext): Promise<void> {
  const { send, sideBySide } = context
  const count = pageSize(context) + 1
  const records = await createInOrder(context, count, () => createRecord(context, 'createWebhook'))
  const ids = records.flatMap(({ id }) => id ?? [])
  await send('listWebhooks')
  await context.repeatLaggingReads()
  await sideBySide(ids, (webhook_id) => send('deleteWebhook', { path: { webhook_id } }))
  await send('listWebhooks')
  await context.repeatLaggingReads()
}
