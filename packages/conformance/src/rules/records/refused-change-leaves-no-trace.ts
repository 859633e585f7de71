import type { Context } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Json } from '../../generate/schema/index.ts'
import type { Exchange, Input } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { type Resource, resourcesOf } from '../../model/resources.ts'
import { isAsSeen, seen } from './observed.ts'
import { anyStep, doStep, idIn, inputOn, listIn, withRecords } from './records.ts'

/** Refused changes of one record that are tried. */
const TRIED = 4

export const refusedChangeLeavesNoTrace: Rule = {
  id: 'refused-change-leaves-no-trace',
  phase: 'lists',
  cites: 'contract',
  stateful: true,
  title: 'What is refused has changed nothing: no record more, no member other.',
  advice: 'Check the request before anything is written.',
  run: (context) =>
    withRecords(context, resourcesOf(context.contract), async (resource, created) => {
      await tryCreation(context, resource, created)
      await tryUpdate(context, resource, created)
    }),
}

/** A creation that breaks its schema, and one that repeats what is unique. */
async function tryCreation(context: Context, resource: Resource, created: Exchange): Promise<void> {
  const { create, list } = resource
  if (!list || create.bodyPointer === undefined) return
  const step = anyStep(resource)
  const named = step && idIn(step)
  // Without ids nobody can tell one more record from one less and another.
  if (!named) return context.inconclusive()
  const [failed] = context.schemas.breaks(create.bodyPointer, created.input.body as Json)
  const lists = { create, list, named }
  // What is unique is made anew, unless its repetition is what has to be refused.
  const anew = () => ({ ...created.input, body: context.builder.renewed(create, failed?.body, '') })
  if (failed) await trySent(context, lists, anew)
  if (create.usedOnce.length > 0) await trySent(context, lists, () => created.input)
}

/** Rounds in which a list has to grow by what is refused, and by nothing else. */
const ROUNDS = 4

/** Others who use the service create records too: whatever grows by itself tells nothing. */
async function trySent(context: Context, { create, list, named }: Lists, made: () => Input): Promise<void> {
  let refused: Exchange | undefined
  for (let round = 0; round < ROUNDS; round++) {
    const isGrown = await grows(context, { list, named }, async () => {
      refused = await context.send(create, made())
      return isRefusal(refused)
    })
    if (refused === undefined || isGrown === undefined) return context.inconclusive()
    if (!isGrown) return void context.expect(refused, undefined)
    if (await grows(context, { list, named }, async () => true)) return context.inconclusive()
  }
  const message = 'Expected no record of a creation that was refused, got one.'
  if (refused) context.expect(refused, message, { about: 'create' })
}

interface Listing {
  readonly list: OperationView
  /** What the id of an item is. */
  readonly named: (item: unknown) => unknown
}

type Lists = Pick<Resource, 'create'> & Listing

/** Whether a list shows a record more after some work; undefined where it does not say, or the work was not refused. */
async function grows(
  context: Context,
  { list, named }: Listing,
  work: () => Promise<boolean>,
): Promise<boolean | undefined> {
  const before = await context.send(list, {})
  const isRefused = await work()
  const after = await context.send(list, {})
  if (!isRefused || !isSuccess(before) || !isSuccess(after)) return undefined
  const known = new Set(listIn(before.body).map(named))
  return listIn(after.body).some((it) => !known.has(named(it)))
}

async function tryUpdate(context: Context, { read, update }: Resource, created: Exchange): Promise<void> {
  if (!read || update?.view.bodyPointer === undefined) return
  const breaks = context.schemas.breaks(update.view.bodyPointer, update.view.examples[0] as Json)
  const members = new Map(breaks.map((it) => [it.change.pointer, it]))
  for (const { body } of [...members.values()].slice(0, TRIED)) {
    const before = await seen(context, read, created)
    const refused = await context.send(update.view, { ...inputOn(update, created), body })
    const after = await doStep(context, read, created)
    if (!isRefusal(refused) || !isSuccess(before.exchange) || !isSuccess(after)) {
      context.inconclusive()
      continue
    }
    const isKept = isAsSeen(before, after)
    const message = 'Expected the record as it was before the refused update, got another.'
    context.expect(refused, isKept ? undefined : message, { about: 'update' })
  }
}
