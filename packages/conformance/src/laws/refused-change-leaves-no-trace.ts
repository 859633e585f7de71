import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import type { Exchange } from '../run/exchange.ts'
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
  const repeated = create.usedOnce.length > 0 ? [created.input] : []
  for (const input of [...(broken ? [{ ...created.input, body: broken.body }] : []), ...repeated]) {
    const before = await scene.send(list, {})
    const refused = await scene.send(create, input)
    const after = await scene.send(list, {})
    if (!isRefusal(refused) || !isSuccess(before) || !isSuccess(after)) {
      scene.masked()
      continue
    }
    const known = new Set(listIn(before.body).map((it) => nodeOf(it).id))
    const isGrown = listIn(after.body).some((it) => !known.has(nodeOf(it).id))
    const message = 'Expected no record of a creation that was refused, got one.'
    scene.expect(refused, isGrown ? message : undefined, { about: 'create' })
  }
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
