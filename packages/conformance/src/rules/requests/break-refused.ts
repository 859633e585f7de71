import { isSuccess, type Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { type Case, type Json, wordsOf } from '../../generate/schema/index.ts'
import { valueAt, withValueAt } from '../../model/document.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { Input } from '../../transport/exchange.ts'
import { sendTwin, withBase } from '../valid-requests.ts'

/** Twins of an accepted request, each with one keyword of the schema broken. */
export const breakRefused: Law = {
  id: 'break-refused',
  phase: 'twins',
  title: 'A request that breaks one keyword of its schema is refused.',
  advice: 'Refuse the request with 400, or widen the schema of the contract.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      if (view.bodyPointer === undefined) return
      await scene.each(
        [...scene.schemas.breaks(view.bodyPointer, base.body as Json), ...numbers(scene, view, base)],
        async ({ body, change }) => {
          const exchange = await sendTwin(scene, view, { base, body, pointer: change.pointer })
          const { status } = exchange.reply
          if (status >= 500 || status === 0) return scene.passedOver(exchange)
          if (status === 400 || status === 415 || status === 422)
            return scene.refused(change.contract, change.keyword, change.question)
          if (!isSuccess(exchange)) return scene.masked()
          const message = `${wordsOf(change)} was accepted (${status}); the contract ${saidOf(change)}.`
          scene.expect(exchange, message, {
            contract: change.contract,
            about: change.keyword,
            question: change.question,
          })
        },
      )
    }),
}

function saidOf({ keyword }: { keyword: string }): string {
  return keyword === 'required' ? 'requires it' : `does not allow that (${keyword})`
}

/** Texts of digits that other examples show, as numbers: read as text again, they would be right. */
function numbers({ schemas }: Scene, { bodyPointer = '', examples }: OperationView, base: Input): Case[] {
  return examples.flatMap((example) =>
    schemas.breaks(bodyPointer, example as Json).flatMap(({ body, change }) => {
      const { pointer } = change
      const value = valueAt(body, pointer)
      const isMeant =
        String(value) === valueAt(example, pointer) && typeof valueAt(base.body, pointer) === 'string'
      return typeof value === 'number' && isMeant
        ? [{ change, body: withValueAt(base.body, pointer, value) as Json }]
        : []
    }),
  )
}
