import type { Law } from '../law.ts'
import { differingMember } from '../run/differing-member.ts'
import { nodeOf } from '../run/document.ts'
import type { Exchange } from '../run/exchange.ts'
import { doStep, withRecords } from '../run/records.ts'
import { type Resource, resourcesOf } from '../run/resources.ts'
import { isSuccess, type Scene } from '../run/scene.ts'
import { madeUnusual } from '../run/unusual-values.ts'

export const secretChangesOnRotation: Law = {
  id: 'secret-changes-on-rotation',
  phase: 'lifecycles',
  isTraffic: true,
  stateful: true,
  atStake: true,
  title: 'A regenerated secret is another one, of the same record, which stays as it is otherwise.',
  advice: 'Make a new secret, show that one, and write nothing else.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async (resource, created) => {
      const { act } = resource
      const { secret, id } = nodeOf(created.body)
      if (!act || typeof secret !== 'string') return
      await madeUnusual(scene, resource, created)
      const before = await shownOf(scene, resource, created)
      const rotated = await doStep(scene, act, created)
      if (!isSuccess(rotated)) return scene.masked()
      const next = nodeOf(rotated.body)
      const isOther = typeof next.secret === 'string' && next.secret !== secret
      const got = next.secret === secret ? 'the same' : 'none'
      scene.expect(rotated, isOther ? undefined : `Expected another secret, got ${got}.`, { about: 'secret' })
      scene.expect(rotated, next.id === id ? undefined : 'Expected the id of the record, got another.', {
        about: 'id',
      })
      const after = before && (await shownOf(scene, resource, created))
      const changed = after && differingMember(before.body, after.body, ['updated_at'])
      scene.expect(rotated, changed && `Expected "${changed}" as it was before, got another value.`, {
        about: 'rest',
      })
    }),
}

async function shownOf(scene: Scene, { read }: Resource, created: Exchange): Promise<Exchange | undefined> {
  return read && (await doStep(scene, read, created))
}
