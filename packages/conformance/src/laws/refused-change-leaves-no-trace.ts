import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import type { Exchange } from '../run/exchange.ts'
import { doStep, inputOn, itemsOf, withRecords } from '../run/records.ts'
import { type Resource, resourcesOf } from '../run/resources.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

export const refusedChangeLeavesNoTrace: Law = {
  id: 'refused-change-leaves-no-trace',
  phase: 'lifecycles',
  stateful: true,
  title: 'What is refused has changed nothing: no record more, no member other.',
  advice: 'Check the request before anything is written.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async (resource, created) => {
      await tryCreation(scene, resource, created)
      await tryUpdate(scene, resource, created)
    }),
}

async function tryCreation(scene: Scene, resource: Resource, created: Exchange): Promise<void> {
  const { create } = resource
  const fresh = await scene.maker.refreshed(create, created.input, 'partner')
  const wrong = create.bodyPointer && scene.schemas.breaks(create.bodyPointer, fresh?.body as never).at(-1)
  const before = await itemsOf(scene, resource)
  if (!fresh || !wrong || !before) return
  const refused = await scene.send(create, { ...fresh, body: wrong.body })
  const after = await itemsOf(scene, resource)
  if (isSuccess(refused) || !after) return
  const isThere = newOf(before, after).some((it) => isOf(it, fresh.body))
  const message = 'Expected no record of a creation that was refused, got one.'
  scene.expect(refused, isThere ? message : undefined, { about: 'create' })
}

async function tryUpdate(scene: Scene, { read, update }: Resource, created: Exchange): Promise<void> {
  if (!read || !update?.view.bodyPointer) return
  const [wrong] = scene.schemas.breaks(update.view.bodyPointer, update.view.examples[0] as never)
  if (!wrong) return
  const shown = await doStep(scene, read, created)
  const refused = await scene.send(update.view, { ...inputOn(update, created), body: wrong.body })
  if (isSuccess(refused)) return
  const again = await doStep(scene, read, created)
  const isKept = JSON.stringify(shown.body) === JSON.stringify(again.body)
  const message = 'Expected the record as it was before the refused update, got another.'
  scene.expect(again, isKept ? undefined : message, { about: 'update' })
}

function newOf(before: readonly unknown[], after: readonly unknown[]): unknown[] {
  const known = new Set(before.map((it) => nodeOf(it).id))
  return after.filter((it) => !known.has(nodeOf(it).id))
}

/** Whether a record may be of a request: others may create records at the same time, with other values. */
function isOf(record: unknown, body: unknown): boolean {
  const shared = Object.entries(nodeOf(body)).filter(([name]) => Object.hasOwn(nodeOf(record), name))
  return (
    shared.length > 0 &&
    shared.every(([name, value]) => nodeOf(record)[name] === value || typeof value === 'object')
  )
}
