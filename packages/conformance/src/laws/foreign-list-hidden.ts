import type { Law } from '../law.ts'
import type { OperationView } from '../run/contract.ts'
import { nodeOf } from '../run/document.ts'
import type { Identity } from '../run/exchange.ts'
import { listIn } from '../run/records.ts'
import { resourcesOf } from '../run/resources.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

export const foreignListHidden: Law = {
  id: 'foreign-list-hidden',
  phase: 'authorization',
  identity: 'other',
  stateful: true,
  atStake: true,
  title: "A list shows no record of another partner's.",
  advice: 'Filter the list by its caller.',
  run: async (scene) => {
    const lists = scene.contract.operations.filter(
      (it) =>
        it.method === 'GET' && it.scheme !== undefined && it.pathParameters.length === 0 && scene.isAsked(it),
    )
    for (const list of lists) {
      const create = resourcesOf(scene.contract).find((it) => it.list === list)?.create
      // So that there is something on either side to be kept from the other.
      if (create) for (const who of ['partner', 'other'] as const) await scene.accepted(create.id, { who })
      const [own, foreign] = [await idsOf(scene, list, 'partner'), await idsOf(scene, list, 'other')]
      if (!own?.ids.length || !foreign?.ids.length) scene.masked()
      else {
        const isShared = own.ids.some((id) => foreign.ids.includes(id))
        scene.expect(
          own.exchange,
          isShared ? 'Expected two partners to list nothing in common, and they do.' : undefined,
        )
      }
    }
  },
}

async function idsOf(scene: Scene, list: OperationView, who: Identity) {
  const exchange = await scene.send(list, {}, { who })
  const ids = listIn(exchange.body).flatMap((it) => (nodeOf(it).id === undefined ? [] : [nodeOf(it).id]))
  return isSuccess(exchange) ? { exchange, ids } : undefined
}
