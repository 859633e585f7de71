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
 * Learns in which fields a service shows the ids of the records of its events, where those do not stand at their
 * declared place. Of `{ type: 'qrcode.cancelled', data: { charge: 'qr_1', … } }`, that is `charge`.
 *
 * @param arrivals What arrived, in the form of the contract as far as it is known.
 */
export function learnEventIdFields(
  arrivals: readonly Arrival[],
  { changes, findWebhookAt }: LearningOptions,
): EventIdFields {
  const changesById = Map.groupBy(changes, ({ id }) => id)
  const arrivalsByEvent = Map.groupBy(arrivals, ({ event }) => event)

  const fields = new Map<string, string>()
  for (const [event, ofEvent] of arrivalsByEvent) {
    const mentions = ofEvent.flatMap((arrival) => {
      const fieldsWithId = listFieldsWithId(arrival, changesById)
      const partner = findWebhookAt(arrival.delivery.url)?.partner
      return fieldsWithId.length > 0 ? [{ fieldsWithId, partner }] : []
    })
    const field = findIdField(mentions)
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
  /** Whose record it is. */
  readonly partners: readonly string[]
}

/** A delivery that shows such ids, and the partner to whose webhook it went. */
interface Mention {
  readonly fieldsWithId: readonly FieldWithId[]
  readonly partner: string | undefined
}

/** Lists the fields of a delivery that show the id of a record which had changed before, so that its event follows. */
function listFieldsWithId(
  { body, event, at: arrivedAt }: Arrival,
  changesById: ReadonlyMap<string, readonly Change[]>,
): readonly FieldWithId[] {
  const found: FieldWithId[] = []
  for (const [name, id] of Object.entries(fieldsOf(valueAt(body, '/data')))) {
    if (typeof id !== 'string') continue

    const reported = (changesById.get(id) ?? []).filter(
      ({ events, exchange }) => events.includes(event) && exchange.sentAt <= arrivedAt,
    )
    if (reported.length === 0) continue
    found.push({ name, id, partners: reported.map(({ partner }) => partner) })
  }
  return found
}

/**
 * Finds the field that shows the record in most deliveries of one event. Undefined if too few have it, or if it shows
 * too few records to the partners that own them.
 */
function findIdField(mentions: readonly Mention[]): string | undefined {
  const all = mentions.flatMap(({ fieldsWithId, partner }) =>
    fieldsWithId.map((field) => ({ ...field, partner })),
  )
  for (const [name, withField] of Map.groupBy(all, (field) => field.name)) {
    const shownToOwner = withField.filter(
      ({ partners, partner }) => partner !== undefined && partners.includes(partner),
    )
    const records = new Set(shownToOwner.map(({ id }) => id))
    const areMost = withField.length >= MIN_PART * mentions.length
    if (areMost && records.size >= MIN_RECORDS) return name
  }
  return undefined
}
