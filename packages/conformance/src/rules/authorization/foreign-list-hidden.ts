import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import { isPlainRead, type OperationView } from '../../model/operation-view.ts'
import { resourcesOf, type Step } from '../../model/resources.ts'
import { anyStep, itemMatcher } from '../common/record-steps.ts'
import { filtersOf, valueIn } from '../lists/filters.ts'
import { itemsIn } from '../lists/items.ts'
import { pagingOf } from '../lists/paging.ts'
import { otherIdentities } from './other-identities.ts'

type Query = Readonly<Record<string, string>>

export const foreignListHidden: Rule = {
  id: 'foreign-list-hidden',
  phase: 'authorization',
  cites: { convention: 'owners' },
  requires: 'other',
  stateful: true,
  impact: 'high',
  title: 'A list never shows records of another partner, on any page and with any filter.',
  advice: 'Restrict the list to the records of the caller in every query, before any other filter.',
  run: async (context) => {
    const lists = context.contract.operations.filter(
      (it) => isPlainRead(it) && it.scheme !== undefined && context.isIncluded(it),
    )
    for (const list of lists) {
      const records = await createRecords(context, list)
      const own = await context.send(list, {})
      if (!isSuccess(own)) context.inconclusive()
      else
        for (const query of await queriesOf(context, list, records?.own))
          await expectHidden(context, list, { own, query, records })
    }
  },
}

/** A record of each partner, and the step that identifies it in a list. */
interface Records {
  readonly own: Exchange
  /** Undefined where the other partner cannot create one. */
  readonly theirs: Exchange | undefined
  readonly step: Step
}

/** Creates two records of the partner and one of the other partner. */
async function createRecords(context: Context, list: OperationView): Promise<Records | undefined> {
  const resource = resourcesOf(context.contract).find((it) => it.list === list)
  const step = resource && anyStep(resource)
  if (!resource || !step) return undefined
  const { id } = resource.create
  const theirs = await context.accepted(id, { identity: 'other' })
  await context.accepted(id)
  const own = await context.accepted(id)
  return own && { own, theirs, step }
}

/** The list without a filter, with each filter that the record matches, and from its second page on. */
async function queriesOf(
  context: Context,
  list: OperationView,
  created: Exchange | undefined,
): Promise<Query[]> {
  const filters = filtersOf(context, list).flatMap((it) => {
    const value = valueIn(created?.body, it)
    return value === undefined ? [] : [{ [it.name]: value }]
  })
  const { limit, cursor: name } = pagingOf(context, list)
  const first = limit && name && (await context.send(list, { query: { [limit.name]: '1' } }))
  const cursor = first && nodeOf(first.body).next_cursor
  return [{}, ...filters, ...(typeof cursor === 'string' ? [{ limit: '20', cursor }] : [])]
}

interface Case {
  readonly own: Exchange
  readonly query: Query
  readonly records: Records | undefined
}

async function expectHidden(
  context: Context,
  list: OperationView,
  { own, query, records }: Case,
): Promise<void> {
  for (const { identity, question, words } of otherIdentities(context)) {
    const [theirs, mine] = [
      await context.send(list, { query }, { identity }),
      Object.keys(query).length === 0 ? own : await context.send(list, { query }),
    ]
    // A refused list shows nothing.
    if (!isSuccess(theirs) || !isSuccess(mine)) continue
    const compared = [...compareIds([own, mine], theirs), records && compareRecords(records, mine, theirs)]
    const isShared = compared.includes('shared')
    const message = `Expected the lists of the partner and of ${words} to share no record, got a shared one.`
    if (!isShared && !compared.includes('separate')) context.inconclusive(NOT_SHOWN)
    else
      context.expect(mine, isShared ? message : undefined, {
        about: `${identity}${Object.keys(query)}`,
        question,
      })
  }
}

/** The reason why nothing can be compared. */
const NOT_SHOWN = 'no list showed a record that the rule created'

/** Whether either list shows the record of the other side; undefined if no list shows even its own record. */
function compareRecords({ own, theirs, step }: Records, mine: Exchange, other: Exchange) {
  const shows = (list: Exchange, created: Exchange | undefined) =>
    created !== undefined && itemsIn(list.body).some(itemMatcher(step, created))
  if (shows(mine, theirs) || shows(other, own)) return 'shared'
  return shows(mine, own) || shows(other, theirs) ? 'separate' : undefined
}

/** Whether the lists share an id; empty if one of them shows none. */
function compareIds(mine: readonly Exchange[], theirs: Exchange) {
  const [ids, others] = [mine.flatMap(idsIn), idsIn(theirs)]
  if (ids.length === 0 || others.length === 0) return []
  return [others.some((id) => ids.includes(id)) ? 'shared' : 'separate']
}

function idsIn({ body }: Exchange): unknown[] {
  return itemsIn(body).flatMap((it) => nodeOf(it).id ?? [])
}
