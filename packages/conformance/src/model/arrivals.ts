import { fieldsOf, findOnlyItem, parsedJson, stringAt, valueAt } from '../contract/json.ts'
import { type DeliveryPlaces, toContractBody } from '../form/delivery-form.ts'
import { MESSAGE_HEADER, type MessagePlace, readMessageId } from '../form/message-ids.ts'
import type { ServiceForm } from '../form/service-form.ts'
import type { RecordedDelivery } from '../history.ts'
import { type Arrival, CREDIT_ID, isCreditEvent } from './deliveries.ts'
import { isEndToEndId } from './end-to-end-ids.ts'
import { type EventIdFields, readEventId } from './event-ids.ts'

/** The header with the time of an attempt (Standard Webhooks 1.0.0). */
export const TIME_HEADER = 'webhook-timestamp'

/** One attempt may arrive twice, so many milliseconds apart at most. */
export const MAX_COPY_GAP_MS = 2_500

/** How to read a delivery. */
interface ReadingOptions {
  readonly places: DeliveryPlaces
  readonly form: ServiceForm
  /** The time of the attempt, where no delivery has the declared header with it. */
  readonly attemptedAt?: number
  /** Whether the delivery shows that time, at a place of its own. Default: false. */
  readonly isTimeSigned?: boolean
  /** Where the delivery shows the id of its message. Default: in the declared header. */
  readonly messagePlace?: MessagePlace | undefined
  /** Where the events show the ids of their records. Default: at the declared places alone. */
  readonly idFields?: EventIdFields
}

const DECLARED_PLACE: MessagePlace = { in: 'header', at: MESSAGE_HEADER }

/**
 * Reads a delivery that the receiver of the run recorded: `{ event: 'transfer.settled', record: 'tr_1', … }`.
 * The arrival has its body in the names and at the places of the contract, next to what was received. What the
 * body lacks is empty.
 */
export function readArrival(delivery: RecordedDelivery, options: ReadingOptions): Arrival {
  const { headers, text, completeAt } = delivery
  const { places, form, attemptedAt, isTimeSigned = false, messagePlace = DECLARED_PLACE } = options
  const { idFields = new Map() } = options
  const received = parsedJson(text)
  const body = toContractBody(received, places, form)
  const event = stringAt(body, '/type') ?? ''
  // Whoever gets money does not know the id of the transfer, which is another partner's. So the event of a
  // credit names the payment between the banks, by its `end_to_end_id`.
  const idPointer = isCreditEvent(event) ? CREDIT_ID : '/data/id'
  const messageId = readMessageId(delivery, messagePlace)
  return {
    delivery,
    at: completeAt,
    body,
    received,
    name: stringAt(received, places.event) ?? '',
    event,
    record: stringAt(body, idPointer) ?? readEventId(body, event, idFields),
    payment: findEndToEndId(body),
    message: messageId,
    hasDeclaredId: headers[MESSAGE_HEADER] !== undefined,
    // What all attempts of one delivery share: their id or, of a service without ids, the text.
    identity: messageId ?? text,
    // The time is that of the header, unless the caller gives another one: that is signed, or only that of the arrival.
    isTimeShown: attemptedAt === undefined || isTimeSigned,
    attemptedAt: attemptedAt ?? Number(headers[TIME_HEADER]) * 1000,
  }
}

/** Finds the only `end_to_end_id` among the fields of the record in an event. A service may name the field otherwise. */
function findEndToEndId(body: unknown): string | undefined {
  const values = Object.values(fieldsOf(valueAt(body, '/data')))
  const texts = values.filter((value) => typeof value === 'string')
  return findOnlyItem([...new Set(texts.filter(isEndToEndId))])
}
