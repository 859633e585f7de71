import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { listIn } from '../run/records.ts'
import { isSuccess } from '../run/scene.ts'

export const listedOnce: Law = {
  id: 'listed-once',
  phase: 'every answer',
  title: 'A list shows no record twice.',
  advice: 'Read each record once: a join may give a row for each of its matches.',
  everyAnswer: (exchange) => {
    const { view } = exchange
    if (!isSuccess(exchange) || view?.method !== 'GET') return undefined
    const ids = listIn(exchange.body).flatMap((it) => nodeOf(it).id ?? [])
    if (ids.length === 0) return undefined
    const message = 'Expected each record once, got one twice.'
    return new Set(ids).size < ids.length ? [{ operation: view.id, contract: view.pointer, message }] : []
  },
}
