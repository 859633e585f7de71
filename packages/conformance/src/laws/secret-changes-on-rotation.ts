import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { doStep, withRecords } from '../run/records.ts'
import { resourcesOf } from '../run/resources.ts'
import { isSuccess } from '../run/scene.ts'

export const secretChangesOnRotation: Law = {
  id: 'secret-changes-on-rotation',
  phase: 'lifecycles',
  isTraffic: true,
  stateful: true,
  atStake: true,
  title: 'A regenerated secret is another one, of the same record.',
  advice: 'Make a new secret, and show that one.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async ({ act }, created) => {
      const { secret, id } = nodeOf(created.body)
      if (!act || typeof secret !== 'string') return
      const rotated = await doStep(scene, act, created)
      if (!isSuccess(rotated)) return scene.masked()
      const next = nodeOf(rotated.body)
      const isOther = typeof next.secret === 'string' && next.secret !== secret
      const got = next.secret === secret ? 'the same' : 'none'
      scene.expect(rotated, isOther ? undefined : `Expected another secret, got ${got}.`, { about: 'secret' })
      scene.expect(rotated, next.id === id ? undefined : 'Expected the id of the record, got another.', {
        about: 'id',
      })
    }),
}
