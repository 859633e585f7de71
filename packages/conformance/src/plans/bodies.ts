import { fieldsOf, type Json, stringAt, withValue } from '../contract/json.ts'
import type { PlanContext } from './plan.ts'

/** The due dates of requests, in days from now. */
export const DUE_IN_DAYS = 20

/**
 * The body of an example, with a new tx_id, dates in the future, and the values that the user sets.
 */
export function validBody(
  { contract, fresh, clock, values, found }: PlanContext,
  operation: string,
  example = 0,
): Json {
  const newValues: Json = {
    '/tx_id': fresh(),
    '/calendar/due_date': clock.day(DUE_IN_DAYS),
    '/amount/discount/fixedDateDiscount/0/date': clock.day(DUE_IN_DAYS),
  }
  const sample = contract.examples(operation)[example]
  const ofSample = Object.entries(newValues).filter(
    ([pointer]) => stringAt(sample, pointer) !== undefined,
  )
  return withFields(sample, {
    ...Object.fromEntries(ofSample),
    ...found.of(operation, example),
    ...values[operation],
  })
}

/** Fields that no example has, by their pointers. */
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

/** A body with other values at some pointers. */
export function withFields(body: unknown, fields: Json): Json {
  let edited = body
  for (const [pointer, value] of Object.entries(fields)) edited = withValue(edited, pointer, value)
  return fieldsOf(edited)
}
