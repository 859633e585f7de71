import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { resourcesOf, type Step } from '../../model/resources.ts'
import { filtersOf, valueIn } from '../lists/filters.ts'
import { itemsIn, pagingOf } from '../lists/walk.ts'
import { anyStep, isOf } from '../records/record-steps.ts'
import { strangersOf } from './other-identities.ts'

type Query = Readonly<Record<string, string>>

export const foreignListHidden: Rule = {
  id: 'foreign-list-hidden',
  phase: 'authorization',
  cites: { convention: 'owners' },
  requires: 'other',
  stateful: true,
  impact: 'high',
  title: "A list shows no record of another partner's: on no page, by no filter.",
  advice: 'Filter the list by its caller, and whatever else it is filtered by.',
  run: async (context) => {
    const lists = context.contract.operations.filter(
      (it) =>
        it.method === 'GET' &&
        it.scheme !== undefined &&
        it.pathParameters.length === 0 &&
        context.isIncluded(it),
    )
    for (const list of lists) {
      const made = await madeFor(context, list)
      if (!made && !isPersonal(context)) continue
      const own = await context.send(list, {})
      if (!isSuccess(own)) context.inconclusive()
      else
        for (const query of await queriesOf(context, list, made?.own))
          await isHidden(context, list, { own, query, made })
    }
  },
}

/** A record on either side, and what tells it from others. */
interface TrackedResources {
  readonly own: Exchange
  /** Undefined where the other may make none. */
  readonly theirs: Exchange | undefined
  readonly step: Step
}

/**
 * Whether every list is of its caller's records, as our contract answers. Another contract may have lists for all, as
 * of currencies, and records for all beside one's own: only what was made here tells whose it is.
 */
function isPersonal({ contract }: Context): boolean {
  return contract.conventions.tokenKinds !== undefined
}

/** Two records of the partner's, and one of the other's, so that there is something on either side. */
async function madeFor(context: Context, list: OperationView): Promise<TrackedResources | undefined> {
  const resource = resourcesOf(context.contract).find((it) => it.list === list)
  const step = resource && anyStep(resource)
  if (!resource || !step) return undefined
  const { id } = resource.create
  const theirs = await context.accepted(id, { identity: 'other' })
  await context.accepted(id)
  const own = await context.accepted(id)
  return own && { own, theirs, step }
}

/** The list as it is, by each filter that the record meets, and from the second page on. */
async function queriesOf(
  context: Context,
  list: OperationView,
  made: Exchange | undefined,
): Promise<Query[]> {
  const filters = filtersOf(context, list).flatMap((it) => {
    const value = valueIn(made?.body, it)
    return value === undefined ? [] : [{ [it.name]: value }]
  })
  const { limit, cursor: name } = pagingOf(context, list)
  const first = limit && name && (await context.send(list, { query: { [limit.name]: '1' } }))
  const cursor = first && nodeOf(first.body).next_cursor
  return [{}, ...filters, ...(typeof cursor === 'string' ? [{ limit: '20', cursor }] : [])]
}

interface Asked {
  readonly own: Exchange
  readonly query: Query
  readonly made: TrackedResources | undefined
}

async function isHidden(context: Context, list: OperationView, { own, query, made }: Asked): Promise<void> {
  for (const { identity, question, words } of strangersOf(context)) {
    const [theirs, mine] = [
      await context.send(list, { query }, { identity }),
      Object.keys(query).length === 0 ? own : await context.send(list, { query }),
    ]
    // Whom the list is refused to sees nothing.
    if (!isSuccess(theirs) || !isSuccess(mine)) continue
    const seen = [...idsShared(context, [own, mine], theirs), made && crossing(made, mine, theirs)]
    const isShared = seen.includes('shared')
    const message = `Expected the partner and ${words} to list nothing in common, and they do.`
    if (!isShared && !seen.includes('apart')) context.inconclusive(UNSEEN)
    else
      context.expect(mine, isShared ? message : undefined, {
        about: `${identity}${Object.keys(query)}`,
        question,
      })
  }
}

/** Why a case is masked in which nothing could have been shared. */
const UNSEEN = 'neither partner was shown what was made for this'

/** Whether either list shows what the other side has made; undefined where none shows even its own. */
function crossing({ own, theirs, step }: TrackedResources, mine: Exchange, other: Exchange) {
  const shows = (list: Exchange, created: Exchange | undefined) =>
    created !== undefined && itemsIn(list.body).some(isOf(step, created))
  if (shows(mine, theirs) || shows(other, own)) return 'shared'
  return shows(mine, own) || shows(other, theirs) ? 'apart' : undefined
}

/** Whether lists that are the callers' own have an id in common; undefined where one of them has none. */
function idsShared(context: Context, mine: readonly Exchange[], theirs: Exchange) {
  const [ids, others] = [mine.flatMap(idsIn), idsIn(theirs)]
  if (!isPersonal(context) || ids.length === 0 || others.length === 0) return []
  return [others.some((id) => ids.includes(id)) ? 'shared' : 'apart']
}

function idsIn({ body }: Exchange): unknown[] {
  return itemsIn(body).flatMap((it) => nodeOf(it).id ?? [])
}
