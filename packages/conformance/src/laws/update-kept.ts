import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { doStep, withRecords } from '../run/records.ts'
import { resourcesOf } from '../run/resources.ts'
import { isSuccess } from '../run/scene.ts'

export const updateKept: Law = {
  id: 'update-kept',
  phase: 'lifecycles',
  stateful: true,
  title: 'What an update has changed is shown by the next read.',
  advice: 'Write the update before it is answered.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async ({ read, update }, created) => {
      if (!read || !update) return
      for (const body of bodiesOf(update.view.examples[0])) {
        const changed = await doStep(scene, update, created, { body })
        if (!isSuccess(changed)) return scene.masked()
        const shown = await doStep(scene, read, created)
        if (!isSuccess(shown) || !showsAny(shown.body, body)) return scene.masked()
        const lost = Object.entries(nodeOf(body)).find(([name, value]) =>
          differs(nodeOf(shown.body)[name], value),
        )
        scene.expect(shown, lost && `Expected "${lost[0]}" as the update set it, got another value.`)
      }
    }),
}

function showsAny(shown: unknown, given: unknown): boolean {
  return Object.keys(nodeOf(given)).some((name) => nodeOf(shown)[name] !== undefined)
}

function differs(shown: unknown, given: unknown): boolean {
  return shown !== undefined && JSON.stringify(shown) !== JSON.stringify(given)
}

/** The example, its opposite, and one with other texts. */
function bodiesOf(example: unknown): unknown[] {
  const url = nodeOf(example).url
  const other = typeof url === 'string' ? [{ ...nodeOf(example), url: `${url}/2`, type: 'transfer' }] : []
  return [example, otherThan(example), ...other]
}

/** The update that takes the first one back, where a member says active or inactive. */
function otherThan(body: unknown): unknown {
  const { status, ...rest } = nodeOf(body)
  return status === undefined ? body : { ...rest, status: status === 'inactive' ? 'active' : 'inactive' }
}
