import { fieldsOf, type Json, stringAt, withValue } from '../contract/json.ts'
import type { PlanContext } from './plan.ts'

/** The due date of charges, in days from today. */
export const DUE_IN_DAYS = 20

/**
 * The body of an example of the contract in a form that a service can accept now: with a new tx_id, dates in the
 * future, and the values that the user sets or the service accepted before. Such as
 * `{ tx_id: 'K3…', calendar: { due_date: '2026-12-20' }, … }`.
 */
export function validBody(context: PlanContext, operation: string, example = 0): Json {
  const { contract, acceptedValues, values } = context
  const declaredBody = contract.examples(operation)[example]
  return withFields(declaredBody, {
    ...renewableFields(context, declaredBody),
    ...acceptedValues.valuesFor(operation, example),
    ...values[operation],
  })
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

/** Valid values for optional fields that no example has, by their pointers; none of most operations. */
export function optionalFields({ clock }: PlanContext, operation: string): Json {
  switch (operation) {
    case 'createTransfer':
      return { '/payment_date': clock.day(), '/description': 'Pedido 1001' }
    case 'createImmediateQrCode':
      return { '/additional_infos': [{ name: 'Pedido', value: '1004' }] }
    case 'createDueDateQrCode':
      return { '/amount/deduction': { amount: '1.00', modality: '1' } }
    default:
      return {}
  }
}

/** A copy of a body with other values at some pointers: `{ '/amount/original': '1.00' }`. */
export function withFields(body: unknown, fields: Json): Json {
  let edited = body
  for (const [pointer, value] of Object.entries(fields)) edited = withValue(edited, pointer, value)
  return fieldsOf(edited)
}
