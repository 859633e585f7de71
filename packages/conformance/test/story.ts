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

export type Json = Record<string, unknown>
/** A code, or a refusal with other fields than the declared one of its code. */
export type Refusal = string | { readonly code: string; readonly [field: string]: unknown }
type KindName = 'webhook' | 'immediateQrCode' | 'dueDateQrCode' | 'staticQrCode'
export type Who = 'partner' | 'other' | 'customer'

/** What a step does differently from a right service, and who sends it. */
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

/** Stories by what they show, and by their findings: `rule@operation`, sorted, or `nothing`. */
type Stories = Readonly<Record<string, Readonly<Record<string, readonly Step[]>>>>

/** Several steps as one. */
export function inOrder(...steps: readonly Step[]): Step {
  return (story) => {
    for (const step of steps) step(story)
  }
}

/** What a right service knows, and the events so far. */
interface Story {
  now: number
  readonly events: Recorded[]
  readonly records: { kind: KindName; fields: Json; isGone: boolean; who: Who }[]
  count: number
}

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
  staticQrCode: { path: '/pix/qrcode/static/', create: 'createStatic', shown: 'staticQrCode' },
} as const

/** A valid example of the contract, by its name. */
export function example(name: keyof typeof contract.components.examples): Json {
  return structuredClone(contract.components.examples[name].value) as Json
}

/** Creates a record. */
export function create(kind: KindName, sent: Json = {}, manner: Manner = {}): Step {
  return (story) => {
    const { path, create, shown } = OPERATIONS[kind]
    const id = uuid(++story.count)
    const own = kind === 'webhook' ? {} : ownCode(kind, story.count, sent)
    const body = {
      ...example(create),
      ...(kind.endsWith('eQrCode') && { tx_id: own.tx_id }),
      ...sent,
    }
    const time = new Date(story.now).toISOString()
    const times = { created_at: time, ...(kind !== 'staticQrCode' && { updated_at: time }) }
    const fields: Json = { ...example(shown), ...own, ...defined(body), id, ...times }
    const credential = { ...example('credential'), id, secret: secret(story.count) }
    const response = kind === 'webhook' ? credential : fields
    if (takesEffect(manner))
      story.records.push({ kind, fields, isGone: false, who: manner.by ?? 'partner' })
    call(`POST ${path}`, body, response, manner)(story)
  }
}

/** Creates a webhook. */
export const webhookOf = (sent?: Json, manner?: Manner) => create('webhook', sent, manner)
export const webhook = webhookOf()
/** Creates an immediate QR code. */
export const chargeOf = (sent?: Json, manner?: Manner) => create('immediateQrCode', sent, manner)
export const charge = chargeOf()

/** Reads a webhook. */
export function read(shows: Json = {}, manner: Manner = {}): Step {
  return on(manner, ({ fields, isGone }) => {
    const refused = isGone ? { refused: 'not_found' } : {}
    return call(`GET /partner/webhook/${fields.id}`, undefined, fields, {
      shows,
      ...refused,
      ...manner,
    })
  })
}

/** What a list shows of the records, if not all of them, and its cursor. */
type Listed = Manner & { readonly shown?: (all: Json[]) => Json[]; readonly next?: unknown }

/** Lists webhooks. */
export const webhooks = (query?: string, listed?: Listed) => list('webhook', query, listed)
/** Lists immediate QR codes. */
export const charges = (query?: string, listed?: Listed) => list('immediateQrCode', query, listed)

function list(
  kind: 'webhook' | 'immediateQrCode',
  query = '',
  { shown = (all) => all, next = null, ...manner }: Listed = {},
): Step {
  return (story) => {
    const all = story.records.filter(
      (it) => it.kind === kind && !it.isGone && it.who === (manner.by ?? 'partner'),
    )
    const data = shown(all.map(({ fields }) => fields).reverse())
    const path = kind === 'webhook' ? OPERATIONS.webhook.list : OPERATIONS[kind].path
    const response = kind === 'webhook' ? { data } : { data, next_cursor: next }
    call(`GET ${path}${query}`, undefined, response, manner)(story)
  }
}

/** Updates a webhook. */
export function update(sent: Json, manner: Manner = {}): Step {
  return on(manner, (record, story) => {
    const { id, url, type, status } = record.fields
    const body = { url, type, status, ...sent }
    const changed = { ...record.fields, ...body, updated_at: new Date(story.now).toISOString() }
    if (takesEffect(manner)) record.fields = changed
    return call(`PATCH /partner/webhook/${id}`, body, changed, manner)
  })
}

/** Cancels a dynamic QR code. */
export function cancel(shows: Json = {}, manner: Manner = {}): Step {
  return on(manner, (record) => {
    const { id, status, revision } = record.fields
    const counted = Number(revision) + (status === 'ATIVA' ? 1 : 0)
    const changed = {
      ...record.fields,
      status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
      revision: counted,
    }
    if (takesEffect(manner)) record.fields = changed
    return call(`DELETE ${OPERATIONS[record.kind].path}/${id}`, undefined, changed, {
      shows,
      ...manner,
    })
  })
}

/** Deletes a webhook. */
export function remove(manner: Manner = {}): Step {
  return on(manner, (record) => {
    if (takesEffect(manner)) record.isGone = true
    return call(`DELETE /partner/webhook/${record.fields.id}`, undefined, undefined, manner)
  })
}

/** Lists the users of the partner, also by another method. */
export function listUsers(shows: Json = {}, manner: Manner = {}, method = 'GET'): Step {
  const shown = method === 'HEAD' ? '' : example('partnerUsers')
  return call(`${method} /partner/user`, undefined, shown, { shows, ...manner })
}

/** Reads the user of the examples, as the partner. */
export function readUser(shows: Json = {}): Step {
  const user = example('userWithCustomers')
  return call(`GET /partner/user/${user.user_id}`, undefined, user, { shows })
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
  return call('POST /pix/out/', { type: 'emv', emv, amount }, response, {
    by: 'customer',
    shows,
    ...manner,
  })
}

/** Pays the key of the examples, as a transfer with other data. */
export function payKey(sent: Json = {}, data: Json = {}, manner: Manner = {}): Step {
  const shown = example('keySettled')
  const response = { ...shown, data: { ...(shown.data as Json), ...data } }
  return call('POST /pix/out/', { ...example('payKey'), ...sent }, response, manner)
}

/** How an event is delivered, where it is not as a right service does. */
export interface Delivered {
  /** The example of the event. Default: that of a cancelled QR code. */
  readonly name?: Parameters<typeof example>[0]
  /** The webhook, counted from the first one. Default: 0. */
  readonly to?: number
  readonly data?: Json
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
export function deliver(it: Delivered = {}): Step {
  const {
    name = 'qrCodeCancelledEvent',
    to = 0,
    data,
    edit,
    signedWith,
    headers,
    status = 204,
    url,
  } = it
  return (story) => {
    const { fields } = story.records.filter(({ kind }) => kind === 'webhook')[to] ?? {
      fields: {} as Json,
    }
    const code = story.records.findLast(
      ({ kind }) => name.startsWith('qrCode') && kind !== 'webhook',
    )
    story.now += 1_000
    const { message = `msg_${story.now}` } = it
    const body = example(name)
    const time = { timestamp: new Date(story.now).toISOString() }
    const shown = { ...(body.data as Json), ...code?.fields, ...data }
    const deliveries = story.events.filter((it) => it.type === 'delivery')
    const before = deliveries.find((it) => it.headers['webhook-id'] === message)
    const text = before?.text ?? JSON.stringify({ ...body, ...time, data: shown, ...edit })
    const seconds = String(Math.floor(story.now / 1000))
    const signatures = (signedWith ?? [Number(String(fields.id).slice(-12))]).map((count) => {
      const key = Buffer.from(secret(count).replace('whsec_', ''), 'base64')
      return `v1,${createHmac('sha256', key).update(`${message}.${seconds}.${text}`).digest('base64')}`
    })
    const sent = {
      'content-type': 'application/json',
      'webhook-id': message,
      'webhook-timestamp': seconds,
      'webhook-signature': signatures.join(' '),
    }
    const posted = {
      url: url ?? String(fields.url),
      headers: { ...sent, ...headers },
      text,
      status,
    }
    story.events.push({ type: 'delivery', completeAt: story.now++, ...posted })
  }
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
    const accounts = { [PAYER]: payer, receiver }
    const at = { sentAt: story.now, completeAt: story.now + 1 }
    story.events.push({
      type: 'balances',
      ...at,
      accounts,
      rejected: [],
      isPending: false,
      ...ended,
    })
    story.now += 2
  }
}

const PAYER = 'a4c26fae-7b74-4a7e-a5e0-8f2917a1a87e'

/** A test of each story. */
export const expectFindings = (stories: Stories) => expectFindingsWith({}, stories)

export function expectFindingsWith(options: Partial<ReadOptions>, stories: Stories): void {
  for (const [expected, rows] of Object.entries(stories))
    for (const [title, steps] of Object.entries(rows))
      test(`it finds ${expected === 'nothing' ? 'nothing of ' : ''}${title}`, () => {
        expect(findings(steps, options).join(' ') || 'nothing').toBe(expected)
      })
}

/** The findings of a story, each once. */
export function findings(steps: readonly Step[], options?: Partial<ReadOptions>): string[] {
  const found = readStory(steps, options).findings
  return [...new Set(found.map(({ rule, operation = 'all' }) => `${rule}@${operation}`))].sort()
}

const own = readContract()
/** The image of an example holds the code of the example, and no other one. */
const READ = rules.filter(({ id }) => id !== 'codes-images')

/** Reads a story in which the partner, a customer of it and another partner are signed in. */
export function readStory(steps: readonly Step[], options: Partial<ReadOptions> = {}) {
  const story: Story = { now: START, events: [], records: [], count: 0 }
  inOrder(signIn('partner'), signIn('other'), signIn('customer'), ...steps)(story)
  const reader = createReader({
    contract: own,
    isComplete: true,
    lagMs: 0,
    rules: READ,
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
  const own = { access_token: `token-of-${who}`, refresh_token: `refresh-of-${who}` }
  if (who === 'customer') {
    const tokens = { ...example('customerTokens'), ...own }
    return call('POST /auth/partner/impersonate/', example('actForCustomer'), tokens)
  }
  const authorization = `Basic ${btoa(`${who}:secret`)}`
  const tokens = { ...example('partnerTokens'), ...own }
  return call('POST /auth/partner/token/', undefined, tokens, { authorization })
}

/** Sends any request. */
export function call(
  line: string,
  body: Json | string | undefined,
  response: Json | string | undefined,
  manner: Manner = {},
): Step {
  const [method = '', path = ''] = line.split(' ')
  const { by = 'partner', variant, isNotation, lost, ms = 1 } = manner
  return (story) => {
    // A short path has no prefix.
    const at = own.find(method, path) ? path : PREFIX + path
    const operation = own.find(method, at)?.operation
    const bearer = by === null ? undefined : `Bearer token-of-${by}`
    const authorization = manner.authorization ?? bearer
    const variantOf = variant || isNotation ? acceptedBefore(story, method, at)?.sentAt : undefined
    const pointers =
      typeof variant === 'string' ? { edit: variant } : Array.isArray(variant) && { edits: variant }
    story.events.push({
      type: 'exchange',
      ...(variantOf !== undefined && {
        intent: { variantOf, ...pointers, ...(isNotation && { isNotation }) },
      }),
      sentAt: story.now,
      completeAt: story.now + ms,
      request: {
        method,
        path: at,
        headers: {
          ...(authorization && { authorization }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...manner.headers,
        },
        ...(body !== undefined && { body: textOf(body) }),
      },
      ...(typeof lost === 'string' && { failure: lost }),
      ...(!lost && {
        response: responseOf(operation, `req_${story.events.length}`, response, manner),
      }),
    })
    // A request that takes longer is beside the next one.
    story.now += ms > 1 ? 1 : 2
  }
}

function responseOf(
  operation: Operation | undefined,
  id: string,
  shown: Json | string | undefined,
  manner: Manner,
) {
  const refusal =
    manner.refused === undefined ? undefined : refusalOf(operation, manner.refused, id)
  const { status = Number(refusal?.status ?? successOf(operation)), responds, shows } = manner
  const json = refusal ?? (typeof shown === 'object' ? { ...shown, ...shows } : shown)
  const headers = {
    'x-request-id': id,
    ...(json && { 'content-type': `application/${refusal ? 'problem+' : ''}json` }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...responds,
  }
  return { status, headers, text: json === undefined ? '' : textOf(json) }
}

function refusalOf(operation: Operation | undefined, refused: Refusal, id: string): Json {
  const fields = typeof refused === 'string' ? { code: refused } : refused
  const responses = behaviour.refusals[fields.code]?.responses ?? []
  const own = responses.find(({ operations }) => operations.some((it) => it === operation?.id))
  return { ...example('notFound'), ...(own ?? responses[0])?.example, ...fields, request_id: id }
}

/** The status of a success. */
function successOf(operation: Operation | undefined): string {
  const responses =
    operation && valueAt(operation.validator.document, `${operation.of.pointer}/responses`)
  return Object.keys(fieldsOf(responses)).find((it) => it.startsWith('2')) ?? '200'
}

/** Whether a right service executes it. */
function takesEffect({ acts, refused, lost }: Manner): boolean {
  return acts ?? (!refused && !lost)
}

function acceptedBefore(
  { events }: Story,
  method: string,
  path: string,
): RecordedExchange | undefined {
  const exchanges = events.filter((it) => it.type === 'exchange')
  const accepted = exchanges.findLast(
    ({ request, response }) =>
      request.method === method && request.path === path && response?.status === 200,
  )
  return accepted ?? exchanges.at(-1)
}

function textOf(body: Json | string): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function on(
  { of = -1 }: Manner,
  work: (record: Story['records'][number], story: Story) => Step,
): Step {
  return (story) => {
    const record = story.records.at(of)
    if (!record) throw new Error('the story has no such record')
    work(record, story)(story)
  }
}

/** The payment code of the n-th record of a story. */
export function codeOf(count: number, kind: KindName = 'immediateQrCode', sent: Json = {}): string {
  if (kind !== 'staticQrCode') return encode({ location: location(count), ...MERCHANT })
  const {
    dict_key: key,
    amount,
    message,
  } = { ...example('createStatic'), ...sent } as Record<string, string>
  return encode({ key, amount, message, txid: txId(kind, count), ...MERCHANT } as Parameters<
    typeof encode
  >[0])
}

const MERCHANT = { merchantName: 'Loja', merchantCity: 'BRASILIA' }

function location(count: number): string {
  return `pix.example.com/qr/v2/${count}`
}

function ownCode(kind: KindName, count: number, sent: Json): Json {
  const url = kind === 'staticQrCode' ? {} : { url: location(count) }
  return { tx_id: txId(kind, count), emv: codeOf(count, kind, sent), ...url }
}

/** A static code has a shorter one. */
function txId(kind: KindName, count: number): string {
  return `T${String(count).padStart(kind === 'staticQrCode' ? 24 : 29, '0')}`
}

function secret(count: number): string {
  return `whsec_${Buffer.alloc(32, count).toString('base64')}`
}

function uuid(count: number): string {
  return `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
}

/** A right service shows no field that was left out, but its default. */
function defined(body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([, it]) => it !== undefined))
}
