import type { Law } from '../law.ts'
import { isPaged } from '../run/pages.ts'
import { listIn } from '../run/records.ts'
import { isSuccess } from '../run/scene.ts'

export const limitRespected: Law = {
  id: 'limit-respected',
  phase: 'data',
  isTraffic: true,
  question: 'paging',
  stateful: true,
  title: 'A page holds no more records than `limit` says, and 20 where it says nothing.',
  advice: 'Cut the page at the limit.',
  run: async (scene) => {
    const lists = scene.contract.operations.filter(
      (view) => view.method === 'GET' && isPaged(view) && scene.isAsked(view),
    )
    await scene.each(lists, async (view) => {
      for (const limit of ['1', '2', '3', undefined]) {
        const exchange = await scene.send(view, { query: limit === undefined ? {} : { limit } })
        if (!isSuccess(exchange)) return scene.masked()
        const count = listIn(exchange.body).length
        const most = Number(limit ?? 20)
        scene.expect(exchange, count > most ? `Expected at most ${most} records, got ${count}.` : undefined, {
          about: limit ?? 'default',
        })
      }
    })
  },
}
