import { call } from './call.ts'
import { type Json, type KindName, type Manner, onRecord, type Step, takesEffect } from './story.ts'
import { example, issuedCode, secret, uuid, withoutUndefined } from './values.ts'

/** The paths of each kind of records, and the examples of its creation and of its record. */
const OPERATIONS = {
  webhook: {
    path: '/partner/webhook',
    list: '/partner/webhook/',
    create: 'createAll',
    shown: 'webhook',
  },
  immediateQrCode: {
    path: '/pix/qrcode/dynamic/immediate',
    create: 'createImmediate',
    shown: 'immediateQrCode',
  },
  dueDateQrCode: {
    path: '/pix/qrcode/dynamic/due-date',
    create: 'createDueDate',
    shown: 'dueDateQrCode',
  },
  staticQrCode: {
    path: '/pix/qrcode/static/',
    create: 'createStatic',
    shown: 'staticQrCode',
  },
} as const

/** The kinds whose creation names the `tx_id` of the record. */
const KINDS_WITH_TX_ID: ReadonlySet<KindName> = new Set(['immediateQrCode', 'dueDateQrCode'])

/**
 * Creates a record from the example of its creation.
 *
 * @param sent Other fields of the request.
 */
export function create(kind: KindName, sent: Json = {}, manner: Manner = {}): Step {
  return (story) => {
    const { path, create, shown } = OPERATIONS[kind]
    story.count++
    const id = uuid(story.count)

    const code = kind === 'webhook' ? {} : issuedCode(kind, story.count, sent)
    const body: Json = example(create)
    if (KINDS_WITH_TX_ID.has(kind)) body.tx_id = code.tx_id
    Object.assign(body, sent)

    const time = new Date(story.now).toISOString()
    const fields: Json = {
      ...example(shown),
      ...code,
      ...withoutUndefined(body),
      id,
      created_at: time,
    }
    // A static code cannot change.
    if (kind !== 'staticQrCode') fields.updated_at = time

    if (takesEffect(manner))
      story.records.push({ kind, fields, isGone: false, owner: manner.by ?? 'partner' })

    const credential = { ...example('credential'), id, secret: secret(story.count) }
    const response = kind === 'webhook' ? credential : fields
    call(`POST ${path}`, body, response, manner)(story)
  }
}

/** Creates a webhook. */
export const createWebhook = (sent?: Json, manner?: Manner) => create('webhook', sent, manner)
export const webhook = createWebhook()
/** Creates an immediate QR code. */
export const createCharge = (sent?: Json, manner?: Manner) =>
  create('immediateQrCode', sent, manner)
export const charge = createCharge()

/**
 * Reads a webhook. A right service does not find a deleted one.
 *
 * @param shows Fields of the response, added or replaced.
 */
export function read(shows: Json = {}, manner: Manner = {}): Step {
  return onRecord(manner, ({ fields, isGone }) => {
    const rightManner: Manner = isGone ? { refused: 'not_found' } : {}
    return call(`GET /partner/webhook/${fields.id}`, undefined, fields, {
      shows,
      ...rightManner,
      ...manner,
    })
  })
}

/** What a list shows, and what is different from a right service. */
interface ListManner extends Manner {
  /** What the list shows of the records, the newest first. Default: all of them. */
  readonly shown?: (records: Json[]) => Json[]
  /** Its cursor. Default: null. */
  readonly next?: unknown
}

/** Lists webhooks. */
export const webhooks = (query?: string, manner?: ListManner) => list('webhook', query, manner)
/** Lists immediate QR codes. */
export const charges = (query?: string, manner?: ListManner) =>
  list('immediateQrCode', query, manner)

/** Lists the records of a kind that the sender owns. */
function list(
  kind: 'webhook' | 'immediateQrCode',
  query = '',
  { shown = (records) => records, next = null, ...manner }: ListManner = {},
): Step {
  return (story) => {
    const owner = manner.by ?? 'partner'
    const existing = story.records.filter(
      (record) => record.kind === kind && !record.isGone && record.owner === owner,
    )
    const newestFirst = existing.map(({ fields }) => fields).reverse()
    const data = shown(newestFirst)

    if (kind === 'webhook') {
      const { list } = OPERATIONS.webhook
      call(`GET ${list}${query}`, undefined, { data }, manner)(story)
      return
    }
    const { path } = OPERATIONS[kind]
    call(`GET ${path}${query}`, undefined, { data, next_cursor: next }, manner)(story)
  }
}

/**
 * Updates a webhook.
 *
 * @param sent The fields that change.
 */
export function update(sent: Json, manner: Manner = {}): Step {
  return onRecord(manner, (record, story) => {
    const { id, url, type, status } = record.fields
    const body = { url, type, status, ...sent }
    const updated_at = new Date(story.now).toISOString()
    const changed = { ...record.fields, ...body, updated_at }
    if (takesEffect(manner)) record.fields = changed
    return call(`PATCH /partner/webhook/${id}`, body, changed, manner)
  })
}

/** Cancels a dynamic QR code. */
export function cancel(shows: Json = {}, manner: Manner = {}): Step {
  return onRecord(manner, (record) => {
    const { id, status, revision } = record.fields
    // A second cancellation has no effect.
    const addedRevisions = status === 'ATIVA' ? 1 : 0
    const changed = {
      ...record.fields,
      status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
      revision: Number(revision) + addedRevisions,
    }
    if (takesEffect(manner)) record.fields = changed

    const { path } = OPERATIONS[record.kind]
    return call(`DELETE ${path}/${id}`, undefined, changed, { shows, ...manner })
  })
}

/** Deletes a webhook. */
export function remove(manner: Manner = {}): Step {
  return onRecord(manner, (record) => {
    if (takesEffect(manner)) record.isGone = true
    return call(`DELETE /partner/webhook/${record.fields.id}`, undefined, undefined, manner)
  })
}
