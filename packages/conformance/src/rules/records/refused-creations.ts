import type { Context } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Json } from '../../generate/schema/index.ts'
import type { Exchange, Input } from '../../model/exchange.ts'
import type { Resource } from '../../model/resources.ts'
import { anyStep, itemIdReader } from '../common/record-steps.ts'
import { keyFor, wholeList } from '../lists/walk.ts'

/** A creation that breaks its schema, and one that repeats what is unique, leave no record behind. */
export async function tryRefusedCreations(context: Context, resource: Resource): Promise<void> {
  const { create, list } = resource
  const step = anyStep(resource)
  const created = await context.accepted(create.id)
  if (!list || create.bodyPointer === undefined) return
  // Without ids, a new record cannot be distinguished from an old one.
  if (!created || !step || !itemIdReader(step)) return context.inconclusive()
  const [broken] = context.schemas.breaks(create.bodyPointer, created.input.body as Json)
  // Unique values are renewed, except in the second request, which is refused for its repeated value.
  const brokenInput = () => ({ ...created.input, body: context.builder.renewed(create, broken?.body, '') })
  if (broken) await tryRefused(context, resource, brokenInput)
  if (create.oneTimeFields.length > 0) await tryRefused(context, resource, () => created.input)
}

/** Rounds in which only the refused requests must add records to the list: others create records too. */
const ROUNDS = 4

async function tryRefused(context: Context, resource: Resource, input: () => Input): Promise<void> {
  const { create } = resource
  const { path } = input()
  let refused: Exchange | undefined
  for (let round = 0; round < ROUNDS; round++) {
    const isGrown = await addsRecord(context, { ...resource, path }, async () => {
      refused = await context.send(create, input())
      return isRefusal(refused)
    })
    if (refused === undefined || isGrown === undefined) return context.inconclusive()
    if (!isGrown) return void context.expect(refused, undefined)
    if (await addsRecord(context, { ...resource, path }, async () => true)) return context.inconclusive()
  }
  const message = `${create.id} refused a request (${refused?.response.status}) and created a record all the same.`
  if (refused) context.expect(refused, message, { about: 'create' })
}

/** Whether a list shows a new record after `work`; undefined if the list is refused, or the work was not. */
async function addsRecord(
  context: Context,
  { list, path }: Resource & { readonly path: Input['path'] },
  work: () => Promise<boolean>,
): Promise<boolean | undefined> {
  const before = list && (await wholeList(context, list, { path }))
  const isRefused = await work()
  const after = list && (await wholeList(context, list, { path }))
  if (!list || !isRefused || !before || !after) return undefined
  const known = new Set(before.items.map(keyFor(context, list)))
  return after.items.some((it) => !known.has(keyFor(context, list)(it)))
}
