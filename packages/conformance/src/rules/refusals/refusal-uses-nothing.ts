import type { Behaviour, Variant } from '@partner-payments/spec/behaviour'
import type { Context } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { valueAt } from '../../model/document.ts'
import { isSuccess } from '../../model/exchange.ts'
import { declaredResources } from '../common/declared-resources.ts'
import { editedRequest, validRequest } from './variant-request.ts'

export const refusalUsesNothing: Rule = {
  id: 'refusal-uses-nothing',
  phase: 'records',
  cites: { convention: 'refusedEffects' },
  needs: ({ oneTimeValues: all = {} }) => Object.values(all).map(({ to }) => to.split('#')[0] ?? ''),
  stateful: true,
  impact: 'high',
  title:
    'A refused request uses up no one-time or unique value: the same value is accepted in a valid request.',
  advice: 'Mark a value as used in the transaction that does what the request asks for, and nowhere before.',
  run: (context) => context.each(rowsOf(context), (row) => tryRow(context, row)),
}

/** An edit that is refused, and the fields of its request whose values work once. */
interface Row {
  readonly code: string
  readonly variant: Variant
  readonly fields: readonly string[]
}

/** One row for each code and each example. */
function rowsOf(context: Context): Row[] {
  const { behaviour, contract, isIncluded, identities } = context
  const all = Object.entries(behaviour.refusals ?? {}).flatMap(([code, { variants = [] }]) =>
    variants
      .filter(isPlain)
      .map((variant) => ({ code, variant, fields: onceFields(context, variant.operation) })),
  )
  const rows = all.filter(
    ({ variant: { operation, as = 'partner', set = {} }, fields }) =>
      contract.has(operation) &&
      isIncluded(contract.operation(operation)) &&
      identities.has(as) &&
      fields.length > 0 &&
      !fields.some((it) => it in set),
  )
  const keyOf = ({ code, variant: { operation, example } }: Row) => `${code} ${operation} ${example}`
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()]
}

function isPlain({ after, sender, given, set }: Variant): boolean {
  return !after && !sender && !given && set !== undefined
}

/** The fields of a request that contain one-time values, or values that are unique among records. */
function onceFields(context: Pick<Context, 'behaviour'>, operation: string): string[] {
  const { oneTimeValues = {} }: Behaviour = context.behaviour
  const places = Object.values(oneTimeValues).map(({ to }) => to.split('#'))
  const created = declaredResources(context).filter(({ operations }) => operations.create === operation)
  return [
    ...places.flatMap(([id, field = '']) => (id === operation ? [field] : [])),
    ...created.flatMap(({ unique = {} }) => Object.keys(unique)),
  ]
}

async function tryRow(context: Context, { code, variant, fields }: Row): Promise<void> {
  const first = await validRequest(context, variant)
  const accepted = first && (await context.send(first.view, first.input, { identity: first.identity }))
  const valid = accepted && isSuccess(accepted) ? await validRequest(context, variant) : undefined
  const edited = valid && editedRequest(context, variant, valid)
  if (!valid || !edited) return context.inconclusive()
  const [field] = fields.filter((it) => valueAt(valid.input.body, it) !== undefined)
  if (field === undefined) return
  const { view, input, identity } = valid
  const refused = await context.send(view, edited, { identity })
  if (!isRefusal(refused)) return context.inconclusive()
  const again = await context.send(view, input, { identity })
  const message = `${view.id} refused ${field} (${again.response.status}) after a request with it was refused (${code}); expected it to be accepted.`
  context.expect(again, isSuccess(again) ? undefined : message, {
    about: `${field} ${code} ${variant.example ?? ''}`,
  })
}
