import type { Context } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Violation } from '../../engine/violation.ts'
import type { Json } from '../../generate/schema/index.ts'
import { isAbsent } from '../../model/absent-values.ts'
import { type Assumption, assumptionsIn } from '../../model/assumptions.ts'
import { nodeOf, valueAt, withValueAt } from '../../model/document.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { formOf } from './refusal-kind.ts'

/** Variants of one refused request that are sent to find the cause. */
const MOST = 12

const UNKNOWN_CAUSE = { standard: 'OpenAPI 3.1, Media Type Object: an example of a request' } as const

/**
 * What the refusal of a valid request deviates from. If the service accepts the request without one field, or with
 * another value of it, this is the open question about that field. If no such field is found, no question is named. A
 * request without assumptions is a fact, and so is one whose assumptions are all in a body that was `accepted` before,
 * unless it lacks values of that body that may be required.
 */
export async function refusalCause(
  context: Context,
  exchange: Exchange,
  accepted?: unknown,
): Promise<Partial<Violation>> {
  const { view, input } = exchange
  if (view?.bodyPointer === undefined) return {}
  const { document } = context.contract
  const lost = assumptionsIn(document, view.bodyPointer, accepted).find((it) =>
    isLoss(it, accepted, input.body),
  )
  if (lost) return { question: lost.question }
  const all = assumptionsIn(document, view.bodyPointer, input.body)
  const assumptions = all.filter(({ at }) => isNew(at, accepted))
  if (assumptions.length === 0) return {}
  // A conflict depends on existing records. A live service could execute a variant of a payment.
  const isPayment = context.target === 'live' && view.effect === 'once'
  if (exchange.response.status === 409 || isPayment) return { cites: UNKNOWN_CAUSE }
  const variants = assumptions
    .filter(({ at }) => at !== '')
    .sort((a, b) => b.at.length - a.at.length)
    .flatMap(({ at, question }) =>
      otherBodies(context, view, input.body, at).map((body) => ({ body, question })),
    )
  const distinct = Map.groupBy(variants, ({ body }) => JSON.stringify(body)).values()
  for (const { body, question } of [...distinct].flatMap(([first]) => first ?? []).slice(0, MOST)) {
    const fresh = await context.builder.refreshed(view, { ...input, body }, 'partner')
    const variant = fresh && (await context.send(view, fresh))
    if (variant && isCauseGone(exchange, variant)) return { question }
  }
  return { cites: UNKNOWN_CAUSE }
}

/** Whether a refused body lacks a value of an accepted one, in an object whose required fields are an open question. */
function isLoss({ at, keyword }: Assumption, accepted: unknown, refused: unknown): boolean {
  const left = nodeOf(valueAt(refused, at))
  const had = Object.entries(nodeOf(valueAt(accepted, at))).filter(([, value]) => !isAbsent(value))
  return keyword === 'presence' && had.some(([name]) => isAbsent(left[name]))
}

/** Whether a field is no part of the body that was accepted before. */
function isNew(at: string, accepted: unknown): boolean {
  return accepted === undefined || (at !== '' && valueAt(accepted, at) === undefined)
}

/** Whether the variant is accepted, or refused for another reason. */
function isCauseGone(refused: Exchange, variant: Exchange): boolean {
  if (isSuccess(variant)) return true
  return isRefusal(variant) && formOf(variant) !== formOf(refused)
}

/** The body without the field, with other values of its enum, and with those that other examples have there. */
function otherBodies(
  { contract, schemas }: Context,
  view: OperationView,
  body: unknown,
  at: string,
): unknown[] {
  const shown = view.examples.map((it) => valueAt(it, at)).filter((it) => it !== undefined)
  const others = shown.filter((it) => it !== valueAt(body, at)).map((it) => withValueAt(body, at, it))
  const { bodyPointer = '' } = view
  const listed = schemas
    .boundaries(bodyPointer, body as Json)
    .filter(({ change }) => change.pointer === at && change.keyword === 'enum')
  return [withValueAt(body, at, undefined), ...listed.map((it) => it.body), ...others].filter(
    (it) => contract.validator.validateValue(bodyPointer, it).length === 0,
  )
}
