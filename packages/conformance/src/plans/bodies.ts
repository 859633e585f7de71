import { fieldsOf, isAtOrInside, type Json, stringAt, withValue } from '../contract/json.ts'
import type { PlanContext } from './plan.ts'

/** The due date of charges, in days from today. */
export const DUE_IN_DAYS = 20

/**
 * The body of an example of the contract in a form that a service can accept now: with a new tx_id, dates in the
 * future, and the values that the user sets or the service accepted before. Such as
 * `{ tx_id: 'K3…', calendar: { due_date: '2026-12-20' }, … }`. It has no optional
 * part, unless the user sets one as a whole.
 */
export function validBody(context: PlanContext, operation: string, example = 0): Json {
  const { contract, acceptedValues } = context
  const declaredBody = contract.examples(operation)[example]
  return withFields(declaredBody, {
    ...renewableFields(context, declaredBody),
    ...acceptedValues.valuesFor(operation, example),
    ...userFields(context, operation),
  })
}

/**
 * The values that the user sets for each request of an operation, by their pointers. Without those inside an optional
 * part, which only the requests with this part have.
 */
export function userFields(context: PlanContext, operation: string): Json {
  const parts = Object.keys(usualParts(context, operation))
  const isInsidePart = (pointer: string) => parts.some((part) => pointer.startsWith(`${part}/`))

  const fields = Object.entries(context.values[operation] ?? {})
  return Object.fromEntries(fields.filter(([pointer]) => !isInsidePart(pointer)))
}

/**
 * New values for those fields of a body that go out of date, by their pointers: `{ '/tx_id': 'K3…' }`. A
 * tx_id works only once, and a date may be past.
 */
function renewableFields({ uniqueText, clock }: PlanContext, body: unknown): Json {
  const candidates = {
    '/tx_id': uniqueText(),
    '/calendar/due_date': clock.day(DUE_IN_DAYS),
    '/amount/discount/fixedDateDiscount/0/date': clock.day(DUE_IN_DAYS),
  }
  const newValues: Record<string, unknown> = {}
  for (const [pointer, value] of Object.entries(candidates)) {
    const isInBody = stringAt(body, pointer) !== undefined
    if (isInBody) newValues[pointer] = value
  }
  return newValues
}

/**
 * Valid values for the optional parts of requests that no example has, by operation and by pointer. A part is a field,
 * or an object whose fields belong together.
 */
const OPTIONAL_PARTS: Readonly<Record<string, (context: PlanContext) => Json>> = {
  createTransfer: ({ clock }) => ({
    '/payment_date': clock.day(),
    '/description': 'Pedido 1001',
  }),
  createImmediateQrCode: () => ({ '/additional_infos': [{ name: 'Pedido', value: '1004' }] }),
  createDueDateQrCode: () => ({ '/amount/deduction': { amount: '1.00', modality: '1' } }),
}

/** The optional parts of a request with their usual values; none of most operations. */
function usualParts(context: PlanContext, operation: string): Json {
  return OPTIONAL_PARTS[operation]?.(context) ?? {}
}

/** The beneficiary of a transfer. An earlier response shows it, so that it has no value here. */
export const BENEFICIARY = '/beneficiary'

/** Lists the pointers of the optional parts of a request that no example has; none of most operations. */
export function listOptionalParts(context: PlanContext, operation: string): readonly string[] {
  const parts = Object.keys(usualParts(context, operation))
  return operation === 'createTransfer' ? [...parts, BENEFICIARY] : parts
}

/** The fields of some optional parts, with the values that the user sets, by their pointers. */
export function optionalFields(
  context: PlanContext,
  operation: string,
  parts: readonly string[],
): Json {
  const usualValues = Object.entries(usualParts(context, operation))
  const valuesOfUser = Object.entries(context.values[operation] ?? {})
  // Those of the user come last: of a deduction, they may be its modality alone.
  const fields = [...usualValues, ...valuesOfUser].filter(([pointer]) =>
    parts.some((part) => isAtOrInside(pointer, part)),
  )
  return Object.fromEntries(fields)
}

/** A copy of a body with other values at some pointers: `{ '/amount/original': '1.00' }`. */
export function withFields(body: unknown, fields: Json): Json {
  let edited = body
  for (const [pointer, value] of Object.entries(fields)) edited = withValue(edited, pointer, value)
  return fieldsOf(edited)
}
