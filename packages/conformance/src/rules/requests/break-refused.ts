import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { type Case, type Json, wordsOf } from '../../generate/schema/index.ts'
import { valueAt, withValueAt } from '../../model/document.ts'
import type { Input } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { sendTwin, withBase } from '../valid-requests.ts'

/** Twins of an accepted request, each with one keyword of the schema broken. */
export const breakRefused: Rule = {
  id: 'break-refused',
  phase: 'invalid requests',
  cites: 'contract',
  title: 'A request that breaks one keyword of its schema is refused.',
  advice: 'Refuse the request with 400, or widen the schema of the contract.',
  run: (context) =>
    withBase(context, async (view, base) => {
      if (view.bodyPointer === undefined) return
      await context.each(
        [...context.schemas.breaks(view.bodyPointer, base.body as Json), ...numbers(context, view, base)],
        async ({ body, change }) => {
          const exchange = await sendTwin(context, view, { base, body, pointer: change.pointer })
          const { status } = exchange.response
          if (status >= 500 || status === 0) return context.skipped(exchange)
          if (status === 400 || status === 415 || status === 422)
            return context.refused(change.contract, change.keyword, change.question)
          if (!isSuccess(exchange)) return context.inconclusive()
          const message = `${wordsOf(change)} was accepted (${status}); the contract ${saidOf(change)}.`
          context.expect(exchange, message, {
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
function numbers({ schemas }: Context, { bodyPointer = '', examples }: OperationView, base: Input): Case[] {
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
