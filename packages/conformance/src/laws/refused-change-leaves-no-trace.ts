import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { doStep, inputOn, itemsOf, withRecords } from '../run/records.ts'
import { resourcesOf } from '../run/resources.ts'
import { isSuccess } from '../run/scene.ts'

export const refusedChangeLeavesNoTrace: Law = {
  id: 'refused-change-leaves-no-trace',
  phase: 'lifecycles',
  stateful: true,
  title: 'What is refused has changed nothing: no record more, no member other.',
  advice: 'Check the request before anything is written.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async (resource, created) => {
      const { create, read, update } = resource
      const before = await itemsOf(scene, resource)
      const broken =
        create.bodyPointer && scene.schemas.breaks(create.bodyPointer, created.input.body as never).at(-1)
      if (broken && before) {
        const refused = await scene.send(create, { ...created.input, body: broken.body })
        const after = await itemsOf(scene, resource)
        if (!isSuccess(refused) && after) {
          const grown = newIds(before, after)
          const isOwn = grown.some((it) =>
            JSON.stringify(it).includes(String(nodeOf(broken.body).tx_id ?? '\0')),
          )
          scene.expect(
            refused,
            isOwn ? 'Expected no record of a creation that was refused, got one.' : undefined,
            { about: 'create' },
          )
        }
      }
      if (!read || !update?.view.bodyPointer) return
      const shown = await doStep(scene, read, created)
      const [wrong] = scene.schemas.breaks(update.view.bodyPointer, update.view.examples[0] as never)
      if (!wrong) return
      const refused = await scene.send(update.view, { ...inputOn(update, created), body: wrong.body })
      const again = await doStep(scene, read, created)
      const isKept = isSuccess(refused) || JSON.stringify(shown.body) === JSON.stringify(again.body)
      scene.expect(
        again,
        isKept ? undefined : 'Expected the record as it was before the refused update, got another.',
        { about: 'update' },
      )
    }),
}

function newIds(before: readonly unknown[], after: readonly unknown[]): unknown[] {
  const known = new Set(before.map((it) => nodeOf(it).id))
  return after.filter((it) => !known.has(nodeOf(it).id))
}
