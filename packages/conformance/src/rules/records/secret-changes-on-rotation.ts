import { isSuccess, type Scene } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { type Resource, resourcesOf } from '../../model/resources.ts'
import type { Exchange } from '../../transport/exchange.ts'
import { differingMember } from './differing-member.ts'
import { doStep, withRecords } from './records.ts'
import { madeUnusual } from './unusual-values.ts'

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
      const { secret } = nodeOf(created.body)
      if (!act || typeof secret !== 'string') return
      // As it was made, so that nothing but its status is to blame where it is refused later.
      const isTaken = isSuccess(await doStep(scene, act, created))
      await madeUnusual(scene, resource, created)
      const before = await shownOf(scene, resource, created)
      const rotated = await doStep(scene, act, created)
      const refused = `Expected the secret of what is inactive to be regenerated too, got ${rotated.reply.status}.`
      if (isTaken && isRefusal(rotated, [404]))
        return void scene.expect(rotated, refused, { about: 'refused' })
      if (!isSuccess(rotated)) return scene.masked()
      const next = nodeOf(rotated.body)
      const isOther = typeof next.secret === 'string' && next.secret !== secret
      const got = next.secret === secret ? 'the same' : 'none'
      scene.expect(rotated, isOther ? undefined : `Expected another secret, got ${got}.`, { about: 'secret' })
      const name = differingMember(created.body, rotated.body, ['secret'])
      scene.expect(rotated, name && `Expected "${name}" of the record beside its new secret, got another.`, {
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
