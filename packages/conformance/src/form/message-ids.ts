import { isDeepStrictEqual } from 'node:util'
import { fieldsOf, parsedJson, stringAt, valueAt } from '../contract/json.ts'
import type { RecordedDelivery } from '../history.ts'
import type { DeliveryPlaces } from './delivery-form.ts'

/** The header with the id of a message, which all attempts to deliver it share (Standard Webhooks 1.0.0). */
export const MESSAGE_HEADER = 'webhook-id'

/** Where deliveries show the id of their message: in a header, or at a pointer into the body. */
export interface MessagePlace {
  readonly in: 'header' | 'body'
  /** The name of the header in lower case, or the pointer. */
  readonly at: string
}

/** Reads the id of the message of a delivery; undefined if it has none there. */
export function readMessageId(
  { headers, text }: RecordedDelivery,
  { in: part, at }: MessagePlace,
): string | undefined {
  return part === 'header' ? headers[at] : stringAt(parsedJson(text), at)
}

/**
 * Finds where a service shows the ids of its messages: the first header or field with the name of an id that repeats
 * its value in a retry, and for no other event. Undefined if there is none, or if a delivery has the declared header.
 *
 * @param places Where deliveries show the name of their event and their record.
 */
export function findMessagePlace(
  deliveries: readonly RecordedDelivery[],
  places: DeliveryPlaces,
): MessagePlace | undefined {
  const isAnyDeclared = deliveries.some(({ headers }) => headers[MESSAGE_HEADER] !== undefined)
  if (isAnyDeclared) return undefined

  return listPossiblePlaces(deliveries).find((place) => isPlaceOfMessage(place, deliveries, places))
}

/** Lists the headers and fields of the first delivery that have the name of an id. */
function listPossiblePlaces([first]: readonly RecordedDelivery[]): readonly MessagePlace[] {
  if (!first) return []

  const headers = Object.keys(first.headers).filter(isNameOfId)
  const fields = Object.keys(fieldsOf(parsedJson(first.text))).filter(isNameOfId)
  return [
    ...headers.map((at) => ({ in: 'header', at }) as const),
    ...fields.map((name) => ({ in: 'body', at: `/${name}` }) as const),
  ]
}

/** Whether a name is that of an id: `id`, `x-event-id`, `deliveryId` or `x-github-delivery`. */
function isNameOfId(name: string): boolean {
  return /(?:\b|_)(?:id|delivery)$|Id$/.test(name)
}

/**
 * Whether a place shows the id of a message: each delivery has one there, no two events share one, and at least one
 * retry has repeated that of the failed attempt.
 */
function isPlaceOfMessage(
  place: MessagePlace,
  deliveries: readonly RecordedDelivery[],
  places: DeliveryPlaces,
): boolean {
  const firstById = new Map<string, RecordedDelivery>()
  let wasRepeatedInRetry = false
  for (const delivery of deliveries) {
    const id = readMessageId(delivery, place)
    if (id === undefined) return false

    const first = firstById.get(id)
    if (!first) {
      firstById.set(id, delivery)
      continue
    }

    if (!isOfSameEvent(first, delivery, places)) return false
    // Only what follows a failed attempt is certainly another attempt of the same message.
    const isRetry = first.url === delivery.url && !isSuccess(first)
    if (isRetry) wasRepeatedInRetry = true
  }
  return wasRepeatedInRetry
}

function isSuccess({ status }: RecordedDelivery): boolean {
  return status >= 200 && status < 300
}

/** Whether two deliveries show one event of one record, or have one text if the first shows no record. */
function isOfSameEvent(
  one: RecordedDelivery,
  other: RecordedDelivery,
  { event, record }: DeliveryPlaces,
): boolean {
  const oneBody = parsedJson(one.text)
  const otherBody = parsedJson(other.text)
  const isOneRecordShown = valueAt(oneBody, record) !== undefined
  if (!isOneRecordShown) return one.text === other.text
  return [event, record].every((at) =>
    isDeepStrictEqual(valueAt(oneBody, at), valueAt(otherBody, at)),
  )
}
