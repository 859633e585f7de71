import { fieldsOf, valueAt } from '../contract/json.ts'
import type { Arrival, Change, KnownWebhook } from './deliveries.ts'

/** By the name of an event: the field of `/data` in which the service shows the id of its record, such as `charge`. */
export type EventIdFields = ReadonlyMap<string, string>

interface LearningOptions {
  readonly changes: readonly Change[]
  readonly findWebhookAt: (url: string) => KnownWebhook | undefined
}

/** So many of the deliveries of an event must show its record in one field. Some may be wrong. */
const MIN_PART = 0.8
/** A field shows the ids of so many different records to their partner. With fewer, it may do so by chance. */
const MIN_RECORDS = 2

/**
 * Learns in which fields a service shows the ids of the records of its events. Of
 * `{ type: 'qrcode.cancelled', data: { charge: 'qr_1', … } }`, that is `charge`.
 *
 * @param arrivals What arrived without an id at its declared place, otherwise in the form of the contract as far as it is
 *   known.
 */
export function learnEventIdFields(
  arrivals: readonly Arrival[],
  { changes, findWebhookAt }: LearningOptions,
): EventIdFields {
  const changesById = Map.groupBy(changes, ({ id }) => id)
  const arrivalsByEvent = Map.groupBy(arrivals, ({ event }) => event)

  const fields = new Map<string, string>()
  for (const [event, ofEvent] of arrivalsByEvent) {
    const fieldsByDelivery = ofEvent.map((arrival) => {
      const partner = findWebhookAt(arrival.delivery.url)?.partner
      return listFieldsWithId(arrival, partner, changesById)
    })
    const field = findIdField(fieldsByDelivery)
    if (field !== undefined) fields.set(event, field)
  }
  return fields
}

/** Reads the id of the record of an event where the service shows it; empty if it shows none. */
export function readEventId(body: unknown, event: string, idFields: EventIdFields): string {
  const field = idFields.get(event)
  if (field === undefined) return ''
  const value = fieldsOf(valueAt(body, '/data'))[field]
  return typeof value === 'string' ? value : ''
}

/** A field of an event that shows the id of a record whose change has this event. */
interface FieldWithId {
  readonly name: string
  readonly id: string
  /** Whether the event went to the partner that owns the record. */
  readonly isShownToOwner: boolean
}

/**
 * Lists the fields of a delivery that show the id of a record which had changed before, so that its event follows.
 *
 * @param partner To whose webhook it went.
 */
function listFieldsWithId(
  { body, event, at: arrivedAt }: Arrival,
  partner: string | undefined,
  changesById: ReadonlyMap<string, readonly Change[]>,
): readonly FieldWithId[] {
  const fieldsWithId: FieldWithId[] = []
  for (const [name, id] of Object.entries(fieldsOf(valueAt(body, '/data')))) {
    if (typeof id !== 'string') continue

    const reported = (changesById.get(id) ?? []).filter(
      ({ events, exchange }) => events.includes(event) && exchange.sentAt <= arrivedAt,
    )
    if (reported.length === 0) continue
    const isShownToOwner = reported.some((change) => change.partner === partner)
    fieldsWithId.push({ name, id, isShownToOwner })
  }
  return fieldsWithId
}

/**
 * Finds the field that shows the record in most deliveries of one event. Undefined if too few have it, or if it shows
 * too few records to the partners that own them.
 */
function findIdField(fieldsByDelivery: readonly (readonly FieldWithId[])[]): string | undefined {
  const deliveriesWithId = fieldsByDelivery.filter((fields) => fields.length > 0)
  const fieldsByName = Map.groupBy(deliveriesWithId.flat(), ({ name }) => name)
  for (const [name, fields] of fieldsByName) {
    const shownToOwner = fields.filter(({ isShownToOwner }) => isShownToOwner)
    const records = new Set(shownToOwner.map(({ id }) => id))
    const areMost = fields.length >= MIN_PART * deliveriesWithId.length
    if (areMost && records.size >= MIN_RECORDS) return name
  }
  return undefined
}
