import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { listIn } from '../run/records.ts'
import { resourcesOf } from '../run/resources.ts'
import { isSuccess } from '../run/scene.ts'

export const newestFirst: Law = {
  id: 'newest-first',
  phase: 'data',
  question: 'paging',
  stateful: true,
  title: 'A list begins with what was created last.',
  advice: 'Order by creation, the newest first, with no ties.',
  run: async (scene) => {
    // Any order is as good as another, unless the contract says which.
    if (!scene.contract.questions.has('paging')) return
    for (const { create, list } of resourcesOf(scene.contract)) {
      if (!list || !scene.isAsked(list) || !scene.may(create)) continue
      const first = await scene.accepted(create.id)
      const second = await scene.accepted(create.id)
      const exchange = await scene.send(list, {})
      if (!first || !second || !isSuccess(exchange)) {
        scene.masked()
        continue
      }
      const ids = listIn(exchange.body).map((it) => nodeOf(it).id)
      const [newer, older] = [second, first].map((it) => ids.indexOf(nodeOf(it.body).id))
      const isOrdered =
        newer !== undefined && older !== undefined && newer !== -1 && (older === -1 || newer < older)
      scene.expect(
        exchange,
        isOrdered ? undefined : 'Expected the later creation before the earlier one, and it is not.',
      )
    }
  },
}
