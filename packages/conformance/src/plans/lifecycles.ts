import { fieldsOf, type Json, listItems, stringAt, valueAt } from '../contract/json.ts'
import { ACTIVE, INACTIVE } from '../contract/words.ts'
import type { Input } from '../send/requests.ts'
import { validBody } from './bodies.ts'
import { checkAsPayer } from './pay-as-others.ts'
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
import { createRecord, EXAMPLE, prepareValidRequest } from './valid-requests.ts'

/**
 * Creates records, changes and ends them, and sends requests about them after their end. Reads them
 * after each step.
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
    'lists-current',
  ],
  /**
   * Takes records of each kind through their whole life: creates, reads, changes and ends them. Kinds whose
   * operations are not checked in this run are left out.
   */
  async run(context) {
    const { isChosen } = context
    const lifecycles: (() => Promise<unknown>)[] = []
    if (isAnyChosen(context, WEBHOOKS)) lifecycles.push(() => liveWebhooks(context))
    for (const kind of CODE_KINDS) {
      if (isKindChosen(context, kind)) lifecycles.push(() => liveCodes(context, kind))
    }
    if (isAnyChosen(context, ['createStaticQrCode'])) lifecycles.push(() => createStatics(context))
    if (isChosen('checkKey') || isChosen('createTransfer')) lifecycles.push(() => payKeys(context))
    if (isAnyChosen(context, USERS)) lifecycles.push(() => readUsers(context))
    await context.sideBySide(lifecycles, (runLifecycle) => runLifecycle())
  },
}

/** An id that no record has. */
const OTHER_ID = '7b1f6a52-93c4-4e0d-8a57-0d1c6f2be943'

/** The same id with another last character. */
function withOtherEnd(id: string): string {
  return id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')
}

/**
 * Creates four webhooks, changes the first one in each way, and deletes it, with reads of all after each step. Also
 * tries changes that the service must refuse, and requests about webhooks that do not exist.
 */
async function liveWebhooks(context: PlanContext): Promise<void> {
  const { send, sideBySide, repeatLaggingReads } = context
  const plainBody: Json = { ...validBody(context, 'createWebhook'), type: 'all' }
  const ids = await createWebhooks(context, [
    plainBody,
    { ...plainBody, type: 'transfer', url: urlWithPath(plainBody, DIFFICULT_PATH) },
    // Two have the same URL, so that no service can tell them apart by it.
    { ...plainBody, type: 'qrcode' },
    { ...plainBody, url: urlWithPath(plainBody, '/pix/') },
  ])
  const [first, second] = ids
  if (first === undefined || second === undefined) return

  const path = { webhook_id: first }
  const readAll = () => readWebhooks(context, ids)
  await changeWebhook(context, path, plainBody, readAll)
  await sendInvalidWebhooks(context, ids, plainBody)
  await send('rotateWebhookSecret', { path: { webhook_id: second } })
  // Two ids that no webhook has, one of them almost that of the second.
  await sideBySide([OTHER_ID, withOtherEnd(second)], (webhook_id) =>
    sendEachOperation(context, webhook_id, plainBody),
  )
  await readAll()
  await repeatLaggingReads()

  await send('deleteWebhook', { path })
  await readAll()
  // All requests about a deleted webhook must be refused.
  await sendEachOperation(context, first, plainBody)
  await readAll()
  await repeatLaggingReads()
}

/** A path and a query of which a service must keep each part. */
const DIFFICULT_PATH = '/Pix/Events?shop=Loja%20A&from=B'

/** The URL of a body with another path: `https://loja.example/pix/`. */
function urlWithPath({ url }: Json, path: string): string {
  return new URL(path, String(url)).href
}

/** Reads each webhook, and the list. */
async function readWebhooks(
  { send, sideBySide }: PlanContext,
  ids: readonly string[],
): Promise<void> {
  const reads = ids.map((webhook_id) => () => send('getWebhook', { path: { webhook_id } }))
  await sideBySide([...reads, () => send('listWebhooks')], (read) => read())
}

/**
 * Changes a webhook in each way: other types, inactive, another URL, another secret, and active again. Reads all
 * webhooks after each row of changes.
 */
async function changeWebhook(
  context: PlanContext,
  path: Input['path'],
  plainBody: Json,
  readAll: () => Promise<unknown>,
): Promise<void> {
  const url = urlWithPath(plainBody, DIFFICULT_PATH)
  const active = { status: ACTIVE, ...plainBody }
  const firstChanges = [{ type: 'qrcode' }, { type: 'transfer' }, { status: INACTIVE }, { url }]
  const inactive = await updateInTurn(context, path, active, firstChanges)
  await readAll()

  // The secret of an inactive webhook is rotated too, and leaves it inactive.
  await context.send('rotateWebhookSecret', { path })
  await readAll()

  await updateInTurn(context, path, inactive, [{ status: ACTIVE }, { type: 'all' }])
  await readAll()
}

/**
 * Updates a webhook with each change in turn, which adds to the ones before, and reads it after each. Returns the last
 * body that was accepted.
 *
 * @param body The settings of the webhook before.
 */
async function updateInTurn(
  { send }: PlanContext,
  path: Input['path'],
  body: Json,
  changes: readonly Json[],
): Promise<Json> {
  let acceptedBody = body
  // The update at the end changes nothing, which the service must accept too.
  for (const fields of [...changes, {}]) {
    const changed = { ...acceptedBody, ...fields }
    const updated = await send('updateWebhook', { path, body: changed })
    // A service may lack a type of the contract, with which it would refuse the next changes too.
    if (updated.isAccepted) acceptedBody = changed
    await send('getWebhook', { path })
  }
  return acceptedBody
}

/**
 * Creates a webhook with each body, and reads it alone and in the list. Returns the ids, without those
 * of webhooks that the service refused.
 */
async function createWebhooks(
  context: PlanContext,
  bodies: readonly Json[],
): Promise<readonly string[]> {
  const created = await context.sideBySide(bodies, async (body) => {
    const id = await createWebhook(context, body)
    if (id === undefined) return undefined

    const reads = [
      () => context.send('getWebhook', { path: { webhook_id: id } }),
      () => context.send('listWebhooks'),
    ]
    await context.sideBySide(reads, (read) => read())
    return id
  })
  return created.filter((id) => id !== undefined)
}

/**
 * Creates a webhook, with the type `all` if the service refuses that of the body. Returns its id; undefined
 * if the service refuses both.
 */
async function createWebhook(context: PlanContext, body: Json): Promise<string | undefined> {
  const { id } = await createRecord(context, 'createWebhook', { body })
  if (id !== undefined || body.type === 'all') return id

  const ofAllTypes = await createRecord(context, 'createWebhook', {
    body: { ...body, type: 'all' },
  })
  return ofAllTypes.id
}

/**
 * Tries to update webhooks, and to create other ones, with bodies that the service must refuse. Reads after
 * each, which shows whether the refused request changed something.
 */
async function sendInvalidWebhooks(
  { send, sideBySide }: PlanContext,
  ids: readonly string[],
  plainBody: Json,
): Promise<void> {
  const httpUrl = String(plainBody.url).replace('https:', 'http:')
  const invalidFields = [{ url: httpUrl }, { url: 'https://10.0.0.1/pix' }, { type: 'other' }]

  // Functions that send one such request, and then read.
  const updates = invalidFields.map((invalid, i) => async () => {
    const path = { webhook_id: ids[i % ids.length] ?? '' }
    // With another status too, which shows whether a refused update was made in part.
    await send('updateWebhook', { path, body: { ...plainBody, status: INACTIVE, ...invalid } })
    await send('getWebhook', { path })
  })
  const creations = invalidFields.map((invalid) => async () => {
    await send('createWebhook', { body: { ...plainBody, ...invalid } })
    await send('listWebhooks')
  })
  await sideBySide([...updates, ...creations], (sendAndRead) => sendAndRead())
}

/**
 * Sends each operation that names a webhook in its path, to an id that no webhook has: the service must refuse all.
 *
 * @param webhook_id The id of a webhook that does not exist, or no longer.
 */
async function sendEachOperation(
  { send, sideBySide }: PlanContext,
  webhook_id: string,
  plainBody: Json,
): Promise<void> {
  const path = { webhook_id }
  const requests = [
    () => send('getWebhook', { path }),
    () => send('updateWebhook', { path, body: { ...plainBody, status: ACTIVE } }),
    () => send('rotateWebhookSecret', { path }),
    () => send('deleteWebhook', { path }),
  ]
  await sideBySide(requests, (sendRequest) => sendRequest())
}

/**
 * Creates codes of a kind, cancels one twice and pays another twice, then tries to cancel a paid code, one of
 * the other kind, and codes that do not exist. Reads the list after each step.
 */
async function liveCodes(context: PlanContext, kind: CodeKind): Promise<void> {
  const { send, sideBySide, repeatLaggingReads } = context
  const codes = await sideBySide(codeBodies(context, kind), async (body) => {
    const code = await createCode(context, kind, body)
    await send(kind.list)
    return code
  })
  // Named after what happens to the first two later, and after what the third one has.
  const [cancelled = NO_CODE, paid = NO_CODE, withTexts = NO_CODE] = codes
  await send('checkCode', { body: { emv: withTexts.emv }, by: 'customer' })
  await repeatLaggingReads()

  const parts = [
    () => repeatTxId(context, kind),
    () => cancelTwice(context, kind, cancelled),
    () => payTwice(context, kind, paid),
  ]
  await sideBySide(parts, (part) => part())

  const { id: idOfOtherKind = 'no-id' } = await createRecord(context, otherKind(kind).create)
  const refusedIds = [paid.id, idOfOtherKind, OTHER_ID, withOtherEnd(cancelled.id)]
  await sideBySide(refusedIds, (id) => send(kind.cancel, { path: { id } }))
  await sideBySide(CODE_KINDS, ({ list }) => send(list))
  await repeatLaggingReads()
}

/** The id and the payment code of a created code. */
interface Code {
  readonly id: string
  readonly emv: string
}

/** Stands in for a code that could not be created: the service refuses the empty texts too. */
const NO_CODE: Code = { id: '', emv: '' }

async function createCode(context: PlanContext, kind: CodeKind, body: Json): Promise<Code> {
  const { id = NO_CODE.id, emv = NO_CODE.emv } = await createRecord(context, kind.create, { body })
  return { id, emv }
}

/** Cancels a code twice, and then tries to pay it. Reads the list after each cancellation. */
async function cancelTwice(context: PlanContext, kind: CodeKind, code: Code): Promise<void> {
  const { send } = context
  // The second time, it is ended already.
  for (let i = 0; i < 2; i++) {
    await send(kind.cancel, { path: { id: code.id } })
    await send(kind.list)
  }
  // Its check is refused, and so shows no amount to pay.
  const amount = (await checkAmount(context, code.emv)) ?? '1.00'
  await payAmount(context, code.emv, amount)
}

/** Pays a code twice, and reads the list after each payment. */
async function payTwice(context: PlanContext, kind: CodeKind, code: Code): Promise<void> {
  const { send, clock } = context
  // By more than a second, so that the payment shows in the time of the last change.
  if (clock.isControlled) await clock.advance(2)
  await payCode(context, code.emv)
  await send(kind.list)
  await payCode(context, code.emv)
  if (clock.isControlled) await clock.advance(SETTLEMENT_SECONDS)
  await send(kind.list)
}

/** Seconds within which the sandbox settles a payment. */
const SETTLEMENT_SECONDS = 30

/**
 * The bodies of three codes to create: the example, one with as few fields as possible, and one with texts
 * that services easily change, such as accents and spaces.
 */
function codeBodies(context: PlanContext, kind: CodeKind): Json[] {
  const example = () => validBody(context, kind.create)
  return [
    { ...example(), message: ` ${difficultText(10)} ` },
    withoutOptional(example()),
    withDifficultTexts(example()),
  ]
}

/** The body of an immediate or a due-date charge without its optional fields. */
function withoutOptional({ dict_key, tx_id, amount, calendar, payer }: Json): Json {
  const { due_date } = fieldsOf(calendar)
  const required = { dict_key, tx_id, amount: { original: fieldsOf(amount).original } }
  const isImmediate = due_date === undefined
  if (isImmediate) return { ...required, calendar: {} }

  // A due-date charge also requires its date and its payer.
  const { name, tax_id } = fieldsOf(payer)
  return { ...required, calendar: { due_date }, payer: { name, tax_id } }
}

/**
 * The body of a charge with an amount and texts that services easily change: the longest ones, accents in
 * both forms of Unicode, and the same name twice.
 */
function withDifficultTexts(example: Json): Json {
  return {
    ...example,
    amount: { ...fieldsOf(example.amount), original: '123.45' },
    message: difficultText(140),
    additional_infos: [
      { name: 'Zona', value: `${'Ç'.repeat(100)}${'2'.repeat(100)}` },
      { name: 'Andar', value: '1' },
      { name: 'Andar', value: '2' },
    ],
    payer: { ...fieldsOf(example.payer), name: `Jos\u00e9 e Jose\u0301 d'\u00c1vila` },
  }
}

/**
 * A text that services easily change: accents in both forms of Unicode, a symbol of two code units,
 * and markup.
 *
 * @param length Its characters; for fewer than 30, an even shorter text.
 */
function difficultText(length: number): string {
  if (length < 30) return 'Caf\u00e9 & Cafe\u0301 "1"'

  // Shorter than the length by two, so that it also fits where the symbol counts as two characters.
  const text = 'Caf\u00e9 & Cafe\u0301 <b>"1"</b> \u{1F600} '
  return text + 'a'.repeat(length - [...text].length - 2)
}

/**
 * Creates codes with one and the same tx_id. The first creation is refused for its amount, so that the
 * tx_id stays free. The second is accepted. From then on the tx_id is taken: for both kinds of codes, and
 * even after the code was cancelled.
 */
async function repeatTxId(context: PlanContext, kind: CodeKind): Promise<void> {
  const { send, identities, sideBySide } = context
  const other = otherKind(kind)
  const body = validBody(context, kind.create)
  const inLowerCase = { ...body, tx_id: String(body.tx_id).toLowerCase() }
  const ofOtherKind = { ...validBody(context, other.create), tx_id: body.tx_id }

  await send(kind.create, { body: { ...body, amount: { original: '0.00' } } })
  await send(kind.list)

  const { id = '' } = await createRecord(context, kind.create, { body })
  const createAgain = () => send(kind.create, { body })
  const createOfOtherKind = () => send(other.create, { body: ofOtherKind })
  const creations = [createAgain, createOfOtherKind, () => send(kind.create, { body: inLowerCase })]
  // A tx_id is unique among the codes of one partner, so that another one may use it.
  if (identities.has('other')) creations.push(() => send(kind.create, { body, by: 'other' }))
  await sideBySide(creations, (create) => create())
  await send(kind.list)

  await send(kind.cancel, { path: { id } })
  await sideBySide([createAgain, createOfOtherKind], (create) => create())
}

/** Checks a code, and pays the amount that the check shows. */
async function payCode(context: PlanContext, emv: string): Promise<void> {
  const amount = await checkAmount(context, emv)
  if (amount !== undefined) await payAmount(context, emv, amount)
}

/** Checks a code as the payer. Returns the amount to pay; undefined if the check shows none. */
async function checkAmount(context: PlanContext, emv: string): Promise<string | undefined> {
  const { json } = await checkAsPayer(context, emv)
  return stringAt(json, '/final_amount')
}

/** Pays 0.00, which the service must refuse, and then the amount of the code. */
async function payAmount({ send }: PlanContext, emv: string, amount: string): Promise<void> {
  for (const triedAmount of ['0.00', amount]) {
    const body = { type: 'emv', emv, amount: triedAmount }
    await send('createTransfer', { body, by: 'payer' })
  }
}

/** Creates static codes with other texts, another amount and keys of customers, and checks each. */
async function createStatics(context: PlanContext): Promise<void> {
  const plainBody = validBody(context, 'createStaticQrCode')
  const bodies = [
    plainBody,
    { ...plainBody, message: undefined },
    { ...plainBody, message: difficultText(10) },
    { ...plainBody, amount: '4.35' },
  ]
  await context.sideBySide(bodies, async (body) => {
    const { emv } = await createRecord(context, 'createStaticQrCode', { body })
    await context.send('checkCode', { body: { emv }, by: 'customer' })
  })

  const keysOfCustomers = await keysToTry(context)
  for (const dict_key of keysOfCustomers) await createStaticForKey(context, dict_key)
}

/** Creates a static code for a key, as a customer: a service must not put the same key into all codes. */
async function createStaticForKey(context: PlanContext, dict_key: string): Promise<void> {
  await context.send('checkKey', { body: { dict_key } })
  const body = { ...validBody(context, 'createStaticQrCode'), dict_key }
  const { emv } = await createRecord(context, 'createStaticQrCode', { body, by: 'customer' })
  if (emv !== undefined) await context.send('checkCode', { body: { emv }, by: 'customer' })
}

/**
 * Pays keys with texts and amounts that services easily change. The `initiation_id` of each payment was
 * used before by two refused ones, which must leave it usable.
 */
async function payKeys(context: PlanContext): Promise<void> {
  // A key of the partner is of another type than the examples.
  const { dict_key } = validBody(context, 'createImmediateQrCode')
  await context.send('checkKey', { body: { dict_key } })

  await payKeyAfterRefusals(context, EXAMPLE.key, {
    amount: '4.35',
    description: difficultText(140),
  })
  const secondKey = EXAMPLE.key + 1
  await payKeyAfterRefusals(context, secondKey, {
    amount: '0.29',
    description: "Almo\u00e7o d'\u00c1vila",
  })
}

/** Pays a key with an amount beyond any account and with zero, which the service must refuse, then as it must accept. */
async function payKeyAfterRefusals(
  context: PlanContext,
  example: number,
  { amount, description }: { readonly amount: string; readonly description: string },
): Promise<void> {
  const input = await prepareValidRequest(context, 'createTransfer', { example })
  if (!input) return

  for (const triedAmount of ['9999999999.99', '0.00', amount]) {
    const body = { ...fieldsOf(input.body), amount: triedAmount, description }
    await context.send('createTransfer', { ...input, body })
  }
}

/** So many users are looked up: a faulty look-up may show the same user for every id. */
const MAX_USERS = 5

/** Looks up the first users of the list, the first one again, and a user that does not exist. */
async function readUsers({ send }: PlanContext): Promise<void> {
  const { json } = await send('listUsers')
  const users = listItems(valueAt(json, '/users')).slice(0, MAX_USERS)
  // The first one again: it must be shown as before.
  for (const user of [...users, users[0]]) {
    const user_id = stringAt(user, '/id')
    if (user_id !== undefined) await send('getUser', { path: { user_id } })
  }
  await send('getUser', { path: { user_id: OTHER_ID } })
}
