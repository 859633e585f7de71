import { fieldsOf, type Json, stringAt } from '../contract/json.ts'
import { validBody } from './bodies.ts'
import type { Plan, PlanContext } from './plan.ts'
import {
  CODE_KINDS,
  type CodeKind,
  isAnyChosen,
  isKindChosen,
  otherKind,
  USERS,
  WEBHOOKS,
} from './records.ts'
import { keysToTry } from './send-valid.ts'
import { createRecord, prepareValidRequest } from './valid-requests.ts'

/**
 * Creates records, changes and ends them, tries them after their end, and looks at them after each
 * step.
 */
export const lifecycles: Plan = {
  id: 'lifecycles',
  wants: [
    'records-shown',
    'records-kept',
    'records-dated',
    'records-there',
    'records-named',
    'records-refused',
    'records-gone',
    'records-states',
    'once-issued',
    'once-refused',
    'users-apart',
  ],
  async run(context) {
    const { isChosen } = context
    const lives: (() => Promise<unknown>)[] = []
    if (isAnyChosen(context, WEBHOOKS)) lives.push(() => liveWebhooks(context))
    for (const kind of CODE_KINDS)
      if (isKindChosen(context, kind)) lives.push(() => liveCodes(context, kind))
    if (isAnyChosen(context, ['createStaticQrCode'])) lives.push(() => createStatics(context))
    if (isChosen('checkKey') || isChosen('createTransfer')) lives.push(() => payKeys(context))
    if (isAnyChosen(context, USERS)) lives.push(() => readUsers(context))
    await context.sideBySide(lives, (live) => live())
  },
}

/** An id that no record has. */
const OTHER_ID = '7b1f6a52-93c4-4e0d-8a57-0d1c6f2be943'

/** The same id with another last digit. */
function almost(id: string): string {
  return id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')
}

async function liveWebhooks(context: PlanContext): Promise<void> {
  const { send, repeatLaggingReads } = context
  const plain: Json = { ...validBody(context, 'createWebhook'), type: 'all' }
  const urlOf = (path: string) => new URL(path, String(plain.url)).href
  // Another URL of the same host, whose parts a service must keep.
  const url = urlOf('/Pix/Events?shop=Loja%20A&from=B')
  const ids = await createWebhooks(context, [
    plain,
    { ...plain, type: 'transfer', url },
    // Two have the same URL, so that nothing may go by it.
    { ...plain, type: 'qrcode' },
    { ...plain, url: urlOf('/pix/') },
  ])
  if (!ids) return
  const [first = '', second = ''] = ids

  const look = async () => {
    await context.sideBySide(ids, (webhook_id) => send('getWebhook', { path: { webhook_id } }))
    await send('listWebhooks')
  }

  const path = { webhook_id: first }
  let body: Json = { status: 'active', ...plain }

  const change = async (...changes: Json[]) => {
    // The last one changes nothing.
    for (const fields of [...changes, {}]) {
      body = { ...body, ...fields }
      await send('updateWebhook', { path, body })
      await send('getWebhook', { path })
    }
    await look()
  }

  await change({ type: 'qrcode' }, { type: 'transfer' }, { status: 'inactive' }, { url })
  // The secret of an inactive webhook is rotated too, and leaves it inactive.
  await send('rotateWebhookSecret', { path })
  await look()
  await change({ status: 'active' }, { type: 'all' })
  await refuseWebhooks(context, first, plain)
  await send('rotateWebhookSecret', { path: { webhook_id: second } })
  for (const webhook_id of [OTHER_ID, almost(second)]) await tryWebhook(context, webhook_id, plain)
  await look()
  await repeatLaggingReads()
  await send('deleteWebhook', { path })
  await look()
  await tryWebhook(context, first, plain)
  await look()
  await repeatLaggingReads()
}

/** Creates webhooks, and looks after each. Their ids; undefined if one was refused. */
async function createWebhooks(
  context: PlanContext,
  bodies: readonly Json[],
): Promise<readonly string[] | undefined> {
  const ids: string[] = []
  for (const body of bodies) {
    const { id } = await createRecord(context, 'createWebhook', { body })
    if (id === undefined) return undefined
    ids.push(id)
    await context.send('getWebhook', { path: { webhook_id: id } })
    await context.send('listWebhooks')
  }
  return ids
}

/** Creations and updates that are refused, each followed by a look. */
async function refuseWebhooks(
  { send }: PlanContext,
  webhook_id: string,
  plain: Json,
): Promise<void> {
  const path = { webhook_id }
  const http = String(plain.url).replace('https:', 'http:')
  for (const invalid of [{ url: http }, { url: 'https://10.0.0.1/pix' }, { type: 'none' }]) {
    await send('updateWebhook', { path, body: { ...plain, status: 'inactive', ...invalid } })
    await send('getWebhook', { path })
    await send('createWebhook', { body: { ...plain, ...invalid } })
    await send('listWebhooks')
  }
}

/** Each operation that names a webhook. */
async function tryWebhook({ send }: PlanContext, webhook_id: string, plain: Json): Promise<void> {
  const path = { webhook_id }
  await send('getWebhook', { path })
  await send('updateWebhook', { path, body: { ...plain, status: 'active' } })
  await send('rotateWebhookSecret', { path })
  await send('deleteWebhook', { path })
}

async function liveCodes(context: PlanContext, kind: CodeKind): Promise<void> {
  const { send, repeatLaggingReads, clock } = context
  const cancel = (id = '') => send(kind.cancel, { path: { id } })
  const list = () => send(kind.list)

  const codes: Code[] = []
  for (const body of codeBodies(context, kind)) {
    codes.push(await createRecord(context, kind.create, { body }))
    await list()
  }
  const [cancelled, paid, full] = codes
  await send('checkCode', { body: { emv: full?.emv ?? '' }, by: 'customer' })
  await repeatLaggingReads()
  await refuseCode(context, kind)

  // The second time, it is ended already.
  for (let i = 0; i < 2; i++) {
    await cancel(cancelled?.id)
    await list()
  }

  // A payment moves the time of the last change, by more than a second.
  if (clock.isControlled) await clock.advance(2)
  await payCode(context, cancelled?.emv, '1.00')
  await payCode(context, paid?.emv)
  await list()
  await payCode(context, paid?.emv)
  if (clock.isControlled) await clock.advance(SETTLED_SECONDS)
  await list()

  // A QR code of the other kind, which an operation on this kind does not know.
  const foreign = await createRecord(context, otherKind(kind).create)
  await cancel(paid?.id)
  await cancel(foreign.id ?? 'no-id')
  await cancel(OTHER_ID)
  await cancel(almost(cancelled?.id ?? ''))
  for (const { list: listKind } of CODE_KINDS) await send(listKind)
  await repeatLaggingReads()
}

/** A created code. Both are undefined if it was refused. */
type Code = Awaited<ReturnType<typeof createRecord>>

/** Seconds within which the sandbox settles a payment. */
const SETTLED_SECONDS = 30

/** An example, one with as few fields as possible, and one with texts that are easily changed. */
function codeBodies(context: PlanContext, kind: CodeKind): Json[] {
  const example = () => validBody(context, kind.create)
  return [
    { ...example(), message: ` ${textOf(10)} ` },
    withoutOptional(example()),
    withFullTexts(example()),
  ]
}

function withoutOptional({ dict_key, tx_id, amount, calendar, payer }: Json): Json {
  const { due_date } = fieldsOf(calendar)
  const required = { dict_key, tx_id, amount: { original: fieldsOf(amount).original } }
  if (due_date === undefined) return { ...required, calendar: {} }

  const { name, tax_id } = fieldsOf(payer)
  return { ...required, calendar: { due_date }, payer: { name, tax_id } }
}

function withFullTexts(example: Json): Json {
  return {
    ...example,
    amount: { ...fieldsOf(example.amount), original: '123.45' },
    message: textOf(140),
    additional_infos: [
      { name: 'Zona', value: `${'Ç'.repeat(100)}${'2'.repeat(100)}` },
      { name: 'Andar', value: '1' },
      { name: 'Andar', value: '2' },
    ],
    payer: { ...fieldsOf(example.payer), name: `Jos\u00e9 e Jose\u0301 d'\u00c1vila` },
  }
}

/**
 * A text of some characters: accents in both forms, a symbol outside the first plane, and markup.
 */
function textOf(length: number): string {
  const text = 'Caf\u00e9 & Cafe\u0301 <b>"1"</b> \u{1F600} '
  const rest = length - [...text].length - 1
  return rest < 0 ? 'Caf\u00e9 & Cafe\u0301 "1"' : text + 'a'.repeat(rest - 1)
}

/**
 * A refused creation uses no tx_id, and an accepted one does: for both kinds, and after its end.
 */
async function refuseCode(context: PlanContext, kind: CodeKind): Promise<void> {
  const { send, identities } = context
  const other = otherKind(kind)
  const body = validBody(context, kind.create)
  const inLowerCase = { ...body, tx_id: String(body.tx_id).toLowerCase() }
  const ofOtherKind = { ...validBody(context, other.create), tx_id: body.tx_id }

  await send(kind.create, { body: { ...body, amount: { original: '0.00' } } })
  await send(kind.list)

  const { id = '' } = await createRecord(context, kind.create, { body })
  await send(kind.create, { body })
  await send(other.create, { body: ofOtherKind })
  await send(kind.create, { body: inLowerCase })
  if (identities.has('other')) await send(kind.create, { body, by: 'other' })
  await send(kind.list)

  await send(kind.cancel, { path: { id } })
  await send(kind.create, { body })
  await send(other.create, { body: ofOtherKind })
}

/**
 * Checks and pays a code, after a payment of another amount that is refused.
 *
 * @param fallback The amount if the check shows none. Default: such a code is not paid.
 */
async function payCode({ send }: PlanContext, emv = '', fallback?: string): Promise<void> {
  const by = 'customer'
  const check = await send('checkCode', { body: { emv }, by })
  const amount = stringAt(check.json, '/final_amount') ?? fallback
  if (amount === undefined) return
  const body = { type: 'emv', emv, amount }
  await send('createTransfer', { body: { ...body, amount: '0.00' }, by })
  await send('createTransfer', { body, by })
}

async function createStatics(context: PlanContext): Promise<void> {
  const plain = validBody(context, 'createStaticQrCode')
  const bodies = [
    plain,
    { ...plain, message: undefined },
    { ...plain, message: textOf(10) },
    { ...plain, amount: '4.35' },
  ]
  for (const body of bodies) {
    const { emv } = await createRecord(context, 'createStaticQrCode', { body })
    await context.send('checkCode', { body: { emv }, by: 'customer' })
  }

  // A service must not put the same key into all codes. That of the customer is often a tax ID.
  for (const dict_key of await keysToTry(context)) {
    await context.send('checkKey', { body: { dict_key } })
    const body = { ...plain, dict_key }
    const { emv } = await createRecord(context, 'createStaticQrCode', { body, by: 'customer' })
    if (emv !== undefined) await context.send('checkCode', { body: { emv }, by: 'customer' })
  }
}

/** Payments to keys: with texts and amounts that are easily changed, and after refused ones. */
async function payKeys(context: PlanContext): Promise<void> {
  const { send } = context
  // A key of the partner is of another type than the examples.
  const { dict_key } = validBody(context, 'createImmediateQrCode')
  await send('checkKey', { body: { dict_key } })

  const payments = [
    { example: FIRST_TO_KEY, valid: '4.35', description: textOf(140) },
    { example: FIRST_TO_KEY + 1, valid: '0.29', description: "Almo\u00e7o d'\u00c1vila" },
  ]
  for (const { example, valid, description } of payments) {
    const input = await prepareValidRequest(context, 'createTransfer', { example })
    if (!input) continue
    // Two amounts that are refused, and one that is not.
    for (const amount of ['9999999999.99', '0.00', valid]) {
      const body = { ...fieldsOf(input.body), amount, description }
      await send('createTransfer', { ...input, body })
    }
  }
}

/** The first example of a transfer to a key. */
const FIRST_TO_KEY = 3

/** Users that are looked up, since a look-up may show the same one for every id. */
const MOST_USERS = 5

/** The first users, each of which has customers of its own or none, and the first one again. */
async function readUsers({ send }: PlanContext): Promise<void> {
  const { json } = await send('listUsers')
  for (const i of [...Array(MOST_USERS).keys(), 0]) {
    const user_id = stringAt(json, `/users/${i}/id`)
    if (user_id !== undefined) await send('getUser', { path: { user_id } })
  }
  await send('getUser', { path: { user_id: OTHER_ID } })
}
