import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import type { Exchange, Input } from '../run/exchange.ts'
import type { OperationView } from '../run/operation-view.ts'
import { doStep, inputOn, listIn, withRecords } from '../run/records.ts'
import { isRefusal } from '../run/refusal.ts'
import { type Resource, resourcesOf } from '../run/resources.ts'
import { isSuccess, type Scene } from '../run/scene.ts'
import type { Json } from '../schema/index.ts'

/** Refused changes of one record that are tried. */
const TRIED = 4

export const refusedChangeLeavesNoTrace: Law = {
  id: 'refused-change-leaves-no-trace',
  phase: 'data',
  stateful: true,
  title: 'What is refused has changed nothing: no record more, no member other.',
  advice: 'Check the request before anything is written.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async (resource, created) => {
      await tryCreation(scene, resource, created)
      await tryUpdate(scene, resource, created)
    }),
}

/** A creation that breaks its schema, and one that repeats what is unique. */
async function tryCreation(scene: Scene, { create, list }: Resource, created: Exchange): Promise<void> {
  if (!list || create.bodyPointer === undefined) return
  const [broken] = scene.schemas.breaks(create.bodyPointer, created.input.body as Json)
  const lists = { create, list }
  // What is unique is made anew, unless its repetition is what has to be refused.
  const anew = () => ({ ...created.input, body: scene.maker.renewed(create, broken?.body, '') })
  if (broken) await trySent(scene, lists, anew)
  if (create.usedOnce.length > 0) await trySent(scene, lists, () => created.input)
}

/** Rounds in which a list has to grow by what is refused, and by nothing else. */
const ROUNDS = 4

/** Others who use the service create records too: whatever grows by itself tells nothing. */
async function trySent(scene: Scene, { create, list }: Lists, made: () => Input): Promise<void> {
  let refused: Exchange | undefined
  for (let round = 0; round < ROUNDS; round++) {
    const isGrown = await grows(scene, list, async () => {
      refused = await scene.send(create, made())
      return isRefusal(refused)
    })
    if (refused === undefined || isGrown === undefined) return scene.masked()
    if (!isGrown) return void scene.expect(refused, undefined)
    if (await grows(scene, list, async () => true)) return scene.masked()
  }
  const message = 'Expected no record of a creation that was refused, got one.'
  if (refused) scene.expect(refused, message, { about: 'create' })
}

type Lists = Pick<Resource, 'create'> & { readonly list: OperationView }

/** Whether a list shows a record more after some work; undefined where it does not say, or the work was not refused. */
async function grows(
  scene: Scene,
  list: OperationView,
  work: () => Promise<boolean>,
): Promise<boolean | undefined> {
  const before = await scene.send(list, {})
  const isRefused = await work()
  const after = await scene.send(list, {})
  if (!isRefused || !isSuccess(before) || !isSuccess(after)) return undefined
  const known = new Set(listIn(before.body).map((it) => nodeOf(it).id))
  return listIn(after.body).some((it) => !known.has(nodeOf(it).id))
}

async function tryUpdate(scene: Scene, { read, update }: Resource, created: Exchange): Promise<void> {
  if (!read || update?.view.bodyPointer === undefined) return
  const breaks = scene.schemas.breaks(update.view.bodyPointer, update.view.examples[0] as Json)
  const members = new Map(breaks.map((it) => [it.change.pointer, it]))
  for (const { body } of [...members.values()].slice(0, TRIED)) {
    const before = await doStep(scene, read, created)
    const refused = await scene.send(update.view, { ...inputOn(update, created), body })
    const after = await doStep(scene, read, created)
    if (!isRefusal(refused) || !isSuccess(before) || !isSuccess(after)) {
      scene.masked()
      continue
    }
    const isKept = before.reply.text === after.reply.text
    const message = 'Expected the record as it was before the refused update, got another.'
    scene.expect(refused, isKept ? undefined : message, { about: 'update' })
  }
}
