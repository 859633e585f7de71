import { createHmac } from 'node:crypto'
import { encode } from '@partner-payments/brcode'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { behaviour } from '../src/contract/behaviour.ts'
import { type Operation, readContract } from '../src/contract/contract.ts'
import { fieldsOf, valueAt } from '../src/contract/json.ts'
import { type Recorded, type RecordedExchange, replay, type ShownBalances } from '../src/history.ts'
import { createReader, type ReadOptions } from '../src/read.ts'
import { rules } from '../src/rules/index.ts'

/**
 * Stories for tests of rules. A story is a list of steps, such as `create('webhook')` and `read()`. Each
 * step adds the exchange that a right service would have, and `Manner` says what is different in it.
 * `expectFindings` lets the rules read the story, and compares what they find.
 *
 * @example
 * expectFindings([
 *   {
 *     title: 'it finds a webhook that is shown with another URL',
 *     story: [webhook, read({ url: 'https://other.example/pix' })],
 *     finds: ['records-shown@getWebhook'],
 *   },
 * ])
 */

export type Json = Record<string, unknown>
/** A code, or a refusal with other fields than the declared one of its code. */
export type Refusal = string | { readonly code: string; readonly [field: string]: unknown }
type KindName = 'webhook' | 'immediateQrCode' | 'dueDateQrCode' | 'staticQrCode'
/** Who sends a request: the partner, another partner, or a customer of the partner. */
export type Who = 'partner' | 'other' | 'customer'

/** Who sends the request of a step, and what is different from a right service. */
export interface Manner {
  readonly by?: Who | null
  /** A refusal in place of the response. */
  readonly refused?: Refusal
  /** The status. Default: that of the operation or of the refusal. */
  readonly status?: number
  /** The credentials, where they are not the token of `by`. */
  readonly authorization?: string
  /** Fields of the JSON of the response, added or replaced. */
  readonly shows?: Json
  /** No response arrives, and why, if that is known. */
  readonly lost?: true | string
  /** Whether the request takes effect. Default: if it is neither refused nor lost. */
  readonly acts?: boolean
  /** Milliseconds until the response, for one that is beside the next. Default: 1. */
  readonly ms?: number
  /**
   * Whether it is an edit of the last request of the same operation that was accepted, or of the
   * last one of all: which pointer it edits, or all that it edits, if it edits the body.
   */
  readonly variant?: true | string | readonly string[]
  /** Whether it is the variant in another notation. */
  readonly isNotation?: true
  /** Headers of the request, added or replaced. */
  readonly headers?: Readonly<Record<string, string>>
  /** Headers of the response, added or replaced. */
  readonly responds?: Readonly<Record<string, string>>
  /** The record that it is about, counted from the first one. Default: the last one. */
  readonly of?: number
}

/** A step adds events to a story. */
export type Step = (story: Story) => void

/** A story, and what the checker finds in it. */
export interface Row {
  /** A sentence: what the test shows. */
  readonly title: string
  readonly story: readonly Step[]
  /** The findings as `rule@operation`, sorted. */
  readonly finds: readonly string[]
}

/** Several steps as one. */
export function inOrder(...steps: readonly Step[]): Step {
  return (story) => {
    for (const step of steps) step(story)
  }
}

/** The events so far, and the records as a right service has them. */
interface Story {
  /** Milliseconds since 1970. */
  now: number
  readonly events: Recorded[]
  readonly records: StoredRecord[]
  /** The number of creations, accepted or refused. It numbers ids, codes and secrets. */
  count: number
}

/** A record as a right service has it. */
interface StoredRecord {
  readonly kind: KindName
  /** The fields as a right service shows them. */
  fields: Json
  isGone: boolean
  readonly owner: Who
}

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

/** The kinds for whose records the caller chooses the `tx_id`. */
const KINDS_WITH_TX_ID: ReadonlySet<KindName> = new Set(['immediateQrCode', 'dueDateQrCode'])

/** A valid example of the contract, by its name. */
export function example(name: keyof typeof contract.components.examples): Json {
  return structuredClone(contract.components.examples[name].value) as Json
}

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
export const webhookOf = (sent?: Json, manner?: Manner) => create('webhook', sent, manner)
export const webhook = webhookOf()
/** Creates an immediate QR code. */
export const chargeOf = (sent?: Json, manner?: Manner) => create('immediateQrCode', sent, manner)
export const charge = chargeOf()

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

/** Lists the users of the partner, also by another method. */
export function listUsers(shows: Json = {}, manner: Manner = {}, method = 'GET'): Step {
  const shown = method === 'HEAD' ? '' : example('partnerUsers')
  return call(`${method} /partner/user`, undefined, shown, { shows, ...manner })
}

/** Reads the user of the examples, or another one, as the partner. */
export function readUser(shows: Json = {}, id?: string): Step {
  const user = example('userWithCustomers')
  const { user_id = id } = id === undefined ? user : {}
  const shown = { ...user, user_id, user: { ...fieldsOf(user.user), id: user_id } }
  return call(`GET /partner/user/${user_id}`, undefined, shown, { shows })
}

/** Looks up the key of the examples, or what is sent. */
export function lookUp(shows: Json = {}, manner: Manner & { sent?: Json | string } = {}): Step {
  const { sent = { dict_key: 'beltrana@example.com' } } = manner
  return call('POST /pix/dict/check/', sent, example('emailKey'), { shows, ...manner })
}

/** Checks the payment code of the first record, an immediate QR code. */
export function check(shows: Json = {}, manner: Manner & { emv?: string } = {}): Step {
  const { emv = codeOf(1) } = manner
  const response = {
    ...example('immediateCode'),
    tx_id: txId('immediateQrCode', 1),
    url: location(1),
  }
  return call('POST /pix/brcode/emv/', { emv }, response, { shows, ...manner })
}

/** A customer pays the payment code of the first record. */
export function payCode(
  shows: Json = {},
  manner: Manner & { emv?: string; amount?: string } = {},
): Step {
  const { emv = codeOf(1), amount = '35.90' } = manner
  const response = example('immediatePending')
  const body = { type: 'emv', emv, amount }
  return call('POST /pix/out/', body, response, { by: 'customer', shows, ...manner })
}

/** The payment of a code by `payCode`, as its receiver sees it. */
export const PAYMENT = fieldsOf(fieldsOf(example('qrCodePaidEvent').data).payment)

/** Pays the key of the examples, as a transfer with other data. */
export function payKey(sent: Json = {}, data: Json = {}, manner: Manner = {}): Step {
  const body = { ...example('payKey'), ...sent }
  const settled = example('keySettled')
  const response = { ...settled, data: { ...fieldsOf(settled.data), ...data } }
  return call('POST /pix/out/', body, response, manner)
}

/** What is different in a delivery from that of a right service. */
export interface Delivered {
  /** The example of the event. Default: that of a cancelled QR code. */
  readonly name?: Parameters<typeof example>[0]
  /** The webhook, counted from the first one. Default: 0. */
  readonly to?: number
  /** Fields of the record in the event, added or replaced. */
  readonly data?: Json
  /** Fields of the event itself, added or replaced. */
  readonly edit?: Json
  /** Counts of webhooks whose secrets sign it. Default: that of the webhook. */
  readonly signedWith?: readonly number[]
  readonly headers?: Json
  /** What the receiver returns. Default: 204. */
  readonly status?: number
  /** An earlier message is attempted again with its body. */
  readonly message?: string
  readonly url?: string
}

/** Delivers an event about the last record to a webhook. */
export function deliver(delivered: Delivered = {}): Step {
  return (story) => {
    story.now += 1_000
    const { to = 0, message = `msg_${story.now}`, status = 204 } = delivered
    const webhooks = story.records.filter(({ kind }) => kind === 'webhook')
    const webhook: Json = webhooks[to]?.fields ?? {}

    const text = findDeliveredText(story, message) ?? buildEvent(story, delivered)
    const seconds = String(Math.floor(story.now / 1000))
    const { signedWith = [countOf(webhook.id)] } = delivered
    const signatures = signedWith.map((count) =>
      sign(`${message}.${seconds}.${text}`, secret(count)),
    )

    story.events.push({
      type: 'delivery',
      completeAt: story.now,
      url: delivered.url ?? String(webhook.url),
      headers: {
        'content-type': 'application/json',
        'webhook-id': message,
        'webhook-timestamp': seconds,
        'webhook-signature': signatures.join(' '),
        ...delivered.headers,
      },
      text,
      status,
    })
    story.now++
  }
}

/** The body of the first delivery of a message. Undefined if it was not delivered yet. */
function findDeliveredText(story: Story, message: string): string | undefined {
  const deliveries = story.events.filter((event) => event.type === 'delivery')
  const earlier = deliveries.find(({ headers }) => headers['webhook-id'] === message)
  return earlier?.text
}

/** The body of a new event. One about a QR code shows the last code of the story. */
function buildEvent(
  { now, records }: Story,
  { name = 'qrCodeCancelledEvent', data, edit }: Delivered,
): string {
  const isAboutCode = name.startsWith('qrCode')
  const code = isAboutCode ? records.findLast(({ kind }) => kind !== 'webhook') : undefined
  const event = example(name)
  return JSON.stringify({
    ...event,
    timestamp: new Date(now).toISOString(),
    data: { ...fieldsOf(event.data), ...code?.fields, ...data },
    ...edit,
  })
}

/** The signature of a text by Standard Webhooks. */
function sign(signed: string, secretText: string): string {
  const key = Buffer.from(secretText.replace('whsec_', ''), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

/** Rotates the secret of the first webhook. The new one is that of a webhook with this count. */
export function rotate(count: number): Step {
  const response = { ...example('credentialRotated'), id: uuid(1), secret: secret(count) }
  return call(`PATCH /partner/webhook/${uuid(1)}/secret`, undefined, response)
}

/** Time passes, by the clock of the service. */
export function pass(ms: number): Step {
  return (story) => {
    story.now += ms
    story.events.push({ type: 'clock', completeAt: story.now, now: story.now })
  }
}

/**
 * A look at the balances of a sandbox: those of the payer and the receiver of the examples, and how
 * transfers ended.
 */
export function balances(
  payer: string,
  receiver = '100.00',
  ended: Partial<ShownBalances> = {},
): Step {
  return (story) => {
    story.events.push({
      type: 'balances',
      sentAt: story.now,
      completeAt: story.now + 1,
      accounts: { [PAYER_ACCOUNT]: payer, receiver },
      rejected: [],
      isPending: false,
      ...ended,
    })
    story.now += 2
  }
}

/** The account of the payer in the examples. */
const PAYER_ACCOUNT = 'a4c26fae-7b74-4a7e-a5e0-8f2917a1a87e'

/** Adds a test for each story, which expects its findings. */
export function expectFindings(rows: readonly Row[]): void {
  expectFindingsWith({}, rows)
}

/** The same with options of the reader. */
export function expectFindingsWith(options: Partial<ReadOptions>, rows: readonly Row[]): void {
  for (const { title, story, finds } of rows) {
    test(title, () => {
      expect(findings(story, options)).toEqual(finds)
    })
  }
}

/** The findings of a story as `rule@operation`, each once, sorted. */
export function findings(steps: readonly Step[], options?: Partial<ReadOptions>): string[] {
  const summary = readStory(steps, options)
  const places = summary.findings.map(({ rule, operation = 'all' }) => `${rule}@${operation}`)
  return [...new Set(places)].sort()
}

const CONTRACT = readContract()
/** Without the rule of images: that of an example holds the code of the example, and no other one. */
const RULES_OF_STORIES = rules.filter(({ id }) => id !== 'codes-images')

/** Reads a story in which the partner, a customer of it and another partner are signed in. */
export function readStory(steps: readonly Step[], options: Partial<ReadOptions> = {}) {
  const story: Story = { now: START, events: [], records: [], count: 0 }
  inOrder(signIn('partner'), signIn('other'), signIn('customer'), ...steps)(story)
  const reader = createReader({
    contract: CONTRACT,
    isComplete: true,
    lagMs: 0,
    rules: RULES_OF_STORIES,
    ...options,
  })
  replay(story.events, reader.history)
  return reader.summary()
}

/** The time of the examples, which some of their values name. */
const START = Date.parse('2026-11-02T14:30:00Z')
const PREFIX = '/mobile-bff/v1'

/** Signs in, or gets the token of the customer. */
export function signIn(who: Who): Step {
  const tokens = { access_token: `token-of-${who}`, refresh_token: `refresh-of-${who}` }
  if (who === 'customer') {
    const response = { ...example('customerTokens'), ...tokens }
    return call('POST /auth/partner/impersonate/', example('actForCustomer'), response)
  }
  const authorization = `Basic ${btoa(`${who}:secret`)}`
  const response = { ...example('partnerTokens'), ...tokens }
  return call('POST /auth/partner/token/', undefined, response, { authorization })
}

/**
 * Sends any request.
 *
 * @param line The method and the path, such as `GET /partner/user`.
 * @param response The JSON of a right response.
 */
export function call(
  line: string,
  body: Json | string | undefined,
  response: Json | string | undefined,
  manner: Manner = {},
): Step {
  const [method = '', path = ''] = line.split(' ')
  const { lost, ms = 1 } = manner
  return (story) => {
    // A short path has no prefix.
    const fullPath = CONTRACT.find(method, path) ? path : PREFIX + path
    const operation = CONTRACT.find(method, fullPath)?.operation
    const intent = findIntent(story, method, fullPath, manner)
    const request = {
      method,
      path: fullPath,
      headers: buildHeaders(body, manner),
      ...(body !== undefined && { body: toText(body) }),
    }
    const id = `req_${story.events.length}`

    story.events.push({
      type: 'exchange',
      ...(intent && { intent }),
      sentAt: story.now,
      completeAt: story.now + ms,
      request,
      ...(typeof lost === 'string' && { failure: lost }),
      ...(!lost && { response: buildResponse(operation, id, response, manner) }),
    })
    // A request that takes longer is beside the next one.
    story.now += ms > 1 ? 1 : 2
  }
}

/** The intent of a variant: which earlier request it edits, and where. Undefined if it is none. */
function findIntent(
  story: Story,
  method: string,
  path: string,
  { variant, isNotation }: Manner,
): RecordedExchange['intent'] {
  if (!variant && !isNotation) return undefined
  const editedRequest = findEditedRequest(story, method, path)
  if (!editedRequest) return undefined
  return {
    variantOf: editedRequest.sentAt,
    ...(typeof variant === 'string' && { edit: variant }),
    ...(Array.isArray(variant) && { edits: variant }),
    ...(isNotation && { isNotation }),
  }
}

/** The headers of a request, with the token of its sender. */
function buildHeaders(
  body: Json | string | undefined,
  { by = 'partner', authorization, headers }: Manner,
): Record<string, string> {
  const bearer = by === null ? undefined : `Bearer token-of-${by}`
  const credentials = authorization ?? bearer
  return {
    ...(credentials && { authorization: credentials }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  }
}

/** The response of a step: its refusal, or the JSON of a success. */
function buildResponse(
  operation: Operation | undefined,
  id: string,
  shown: Json | string | undefined,
  { refused, status, shows, responds }: Manner,
) {
  if (refused !== undefined) {
    const refusal = buildRefusal(operation, refused, id)
    return receivedResponse(status ?? Number(refusal.status), id, 'application/problem+json', {
      json: refusal,
      responds,
    })
  }
  const json = typeof shown === 'object' ? { ...shown, ...shows } : shown
  return receivedResponse(status ?? Number(successStatus(operation)), id, 'application/json', {
    json,
    responds,
  })
}

/** A response with its usual headers. */
function receivedResponse(
  status: number,
  id: string,
  contentType: string,
  { json, responds }: { json: Json | string | undefined; responds: Manner['responds'] },
) {
  const headers: Record<string, string> = {
    'x-request-id': id,
    ...(json && { 'content-type': contentType }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...responds,
  }
  return { status, headers, text: json === undefined ? '' : toText(json) }
}

/** The example of a refusal by this operation, or by another one with the same code. */
function buildRefusal(operation: Operation | undefined, refused: Refusal, id: string): Json {
  const fields = typeof refused === 'string' ? { code: refused } : refused
  const responses = behaviour.refusals[fields.code]?.responses ?? []
  const ofOperation = responses.find(({ operations }) =>
    operations.some((name) => name === operation?.id),
  )
  const { example: declared } = ofOperation ?? responses[0] ?? {}
  return { ...example('notFound'), ...declared, ...fields, request_id: id }
}

/** The first declared status of a success. */
function successStatus(operation: Operation | undefined): string {
  if (!operation) return '200'
  const responses = valueAt(
    operation.validator.document,
    `${operation.declaration.pointer}/responses`,
  )
  const statuses = Object.keys(fieldsOf(responses))
  return statuses.find((status) => status.startsWith('2')) ?? '200'
}

/** Whether the request of a step changes records. */
function takesEffect({ acts, refused, lost }: Manner): boolean {
  return acts ?? (!refused && !lost)
}

/** The last request of the same operation that was accepted, or the last one of all. */
function findEditedRequest(
  { events }: Story,
  method: string,
  path: string,
): RecordedExchange | undefined {
  const exchanges = events.filter((event) => event.type === 'exchange')
  const accepted = exchanges.findLast(
    ({ request, response }) =>
      request.method === method && request.path === path && response?.status === 200,
  )
  return accepted ?? exchanges.at(-1)
}

/** A body as it is sent: a string as it is, anything else as JSON. */
function toText(body: Json | string): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** A step about one of the records. */
function onRecord({ of = -1 }: Manner, work: (record: StoredRecord, story: Story) => Step): Step {
  return (story) => {
    const record = story.records.at(of)
    if (!record) throw new Error('the story has no such record')
    const step = work(record, story)
    step(story)
  }
}

/** The payment code of the n-th record of a story. */
export function codeOf(count: number, kind: KindName = 'immediateQrCode', sent: Json = {}): string {
  if (kind !== 'staticQrCode') return encode({ location: location(count), ...MERCHANT })
  // Strings, if the story sends them as the contract wants.
  const fields = { ...example('createStatic'), ...sent } as Record<string, string>
  const { dict_key: key, amount, message } = fields
  const txid = txId(kind, count)
  return encode({ key, amount, message, txid, ...MERCHANT } as Parameters<typeof encode>[0])
}

const MERCHANT = { merchantName: 'Loja', merchantCity: 'BRASILIA' }

/** The URL in the code of the n-th record. */
function location(count: number): string {
  return `pix.example.com/qr/v2/${count}`
}

/** The fields that a service gives a QR code. Only a dynamic one has a URL. */
function issuedCode(kind: KindName, count: number, sent: Json): Json {
  const fields: Json = { tx_id: txId(kind, count), emv: codeOf(count, kind, sent) }
  if (kind !== 'staticQrCode') fields.url = location(count)
  return fields
}

/** The tx_id of the n-th record. That of a static code is shorter. */
function txId(kind: KindName, count: number): string {
  const digits = kind === 'staticQrCode' ? 24 : 29
  return `T${String(count).padStart(digits, '0')}`
}

/** The secret of the n-th record, a webhook. */
function secret(count: number): string {
  return `whsec_${Buffer.alloc(32, count).toString('base64')}`
}

/** The id of the n-th record. */
function uuid(count: number): string {
  return `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
}

/** The number of a record, by its id. */
function countOf(id: unknown): number {
  return Number(String(id).slice(-12))
}

/** A body without the fields that a request leaves out. */
function withoutUndefined(body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}
