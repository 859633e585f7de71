import type { Operation } from '../contract/contract.ts'
import { type Json, stringAt, valueAt } from '../contract/json.ts'
import { findUser } from '../send/identities.ts'
import type { Input, Sender } from '../send/sender.ts'
import { validBody } from './bodies.ts'
import { createCodeOfPayer, newTaxId, walk } from './lists.ts'
import type { Plan, PlanContext } from './plan.ts'
import { CODE_KINDS, WEBHOOKS } from './records.ts'
import { sendValid } from './send-valid.ts'
import { createRecord, validRequest } from './valid-requests.ts'

/**
 * Sends each operation without credentials, with wrong ones, and as another identity, and looks at
 * the records after it.
 */
export const identities: Plan = {
  id: 'identities',
  wants: [
    'access-credentials',
    'access-tokens',
    'access-kinds',
    'access-records',
    'access-lists',
    'access-consistent',
  ],
  async run(context) {
    await sendAsEach(context)
    if (context.isChosen('signIn')) await signInWrongly(context)
    const wrong = await wrongCredentials(context)
    const operations = context.contract.operations.filter(
      ({ id, isAlias, scheme }) => !isAlias && scheme !== 'basic' && context.isChosen(id),
    )
    await context.sideBySide(operations, async (operation) => {
      const { id } = operation
      const input = await validRequest(context, id)
      if (!input) return
      await context.sideBySide(wrong, (credentials) =>
        context.send(id, { ...input, ...credentials }),
      )
      for (const by of othersFor(context, operation)) await context.send(id, { ...input, by })
      await look(context, id, input)
    })
    const looks = [listCodesAsOthers, tryCodesOfCustomer, actAsEach, actAsOthers]
    if (context.isChosen('getWebhook')) looks.push(readInactive)
    await context.sideBySide(looks, (each) => each(context))
    await context.lookAgain()
  },
}

/** Sends what each identity may, since a refusal says nothing of a caller who is always refused. */
async function sendAsEach({ send, identities }: PlanContext): Promise<void> {
  await send('listUsers')
  if (identities.has('other')) await send('listUsers', { by: 'other' })
  await send('listImmediateQrCodes', { by: 'customer' })
}

function othersOf({ identities }: PlanContext): Sender[] {
  return identities.has('other') ? ['other', 'customer'] : ['customer']
}

/** The other identities that must not be able to send a request of the partner. */
function othersFor(context: PlanContext, operation: Operation): Sender[] {
  // Webhooks are for partners only.
  if (operation.id === 'createWebhook') return ['customer']
  // Others may send it too.
  if (namesNoRecord(operation)) return []
  return othersOf(context)
}

/**
 * Whether it creates a record of its sender, or acts on none, as the check of a code that anybody
 * may pay. An operation of which nothing is declared may name one.
 */
function namesNoRecord({ id, role, resource }: Operation): boolean {
  const isDeclared = role !== id
  return role === 'create' || (isDeclared && resource === undefined)
}

/** The webhook of the owner is as foreign to others while it is inactive. */
async function readInactive(context: PlanContext): Promise<void> {
  const updated = await sendValid(context, 'updateWebhook')
  const path = updated?.input.path
  if (!path) return
  for (const by of othersOf(context)) await context.send('getWebhook', { path, by })
}

/** Sign-ins whose client key or client secret is almost right. */
async function signInWrongly({
  send,
  sideBySide,
  identities: { credentials },
}: PlanContext): Promise<void> {
  const basic = credentials[0]?.split(' ')[1]
  if (basic === undefined) return
  const right = atob(basic)
  // In capital letters, a key may be the same.
  const pairs = similarPairs(right).filter((pair) => pair !== right)
  await sideBySide(pairs, (pair) =>
    send('signIn', { by: { authorization: `Basic ${btoa(pair)}` } }),
  )
  await send('signIn', { by: null })
  await send('signIn', { by: { authorization: `Bearer ${basic}` } })
}

/** Pairs of a client key and a client secret that are almost a given one. */
function similarPairs(right: string): string[] {
  const [key = ''] = right.split(':', 1)
  const secret = right.slice(key.length + 1)
  const keys = [key.toUpperCase(), `${key}x`, '']
  const secrets = [
    'wrong',
    '',
    secret.slice(0, -1),
    secret.slice(0, 3),
    [...secret].map(inOtherCase).join(''),
    `${secret}x`,
    ` ${secret} `,
    `${secret} `,
  ]
  return [
    ...secrets.map((similar) => `${key}:${similar}`),
    ...keys.map((similar) => `${similar}:${secret}`),
    ':',
  ]
}

function inOtherCase(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
}

/** Credentials with which no operation but sign-in is accepted. */
async function wrongCredentials(context: PlanContext): Promise<Partial<Input>[]> {
  const { send } = context
  const [authorization = ''] = context.identities.credentials
  const { json } = await send('signIn', { by: { authorization } })
  const access = stringAt(json, '/access_token') ?? 'none'
  const refresh = stringAt(json, '/refresh_token') ?? 'none'
  // Who reads any scheme does so for all operations alike.
  for (const scheme of ['Token', 'OAuth'])
    await send('listUsers', { by: { authorization: `${scheme} ${access}` } })

  const customer = await sendValid(context, 'impersonate')
  const refreshOfCustomer = stringAt(customer?.json, '/refresh_token') ?? 'none'
  const headers = [
    'Bearer ',
    `Bearer ${access.slice(0, -1)}`,
    `Bearer ${refresh}`,
    `Bearer ${refreshOfCustomer}`,
    `Basic ${access}`,
    access,
    authorization,
  ]
  return [
    { by: null },
    { by: null, query: { access_token: access } },
    ...headers.map((header) => ({ by: { authorization: header } })),
  ]
}

/** The owner looks at what a request may have changed. */
async function look({ send }: PlanContext, operation: string, { path }: Input): Promise<void> {
  if (path?.webhook_id !== undefined) await send('getWebhook', { path })
  if (WEBHOOKS.includes(operation)) await send('listWebhooks')
  for (const { create, list, cancel } of CODE_KINDS)
    if ([create, list, cancel].includes(operation)) await send(list)
}

/** Users and customers of another partner. */
async function actAsOthers(context: PlanContext): Promise<void> {
  const { send, identities, sideBySide } = context
  if (!identities.has('other')) return

  const own = await findCustomer(context, 'partner')
  const foreign = await findCustomer(context, 'other')
  await send('getUser', { path: { user_id: own.user_id }, by: 'other' })
  await send('getUser', { path: { user_id: foreign.user_id } })
  // Both of another partner, and only one of them.
  const pairs = [
    { user_id: foreign.user_id, customer_id: foreign.customer_id },
    { user_id: own.user_id, customer_id: foreign.customer_id },
    { user_id: foreign.user_id, customer_id: own.customer_id },
  ]
  await sideBySide(pairs, (body) => send('impersonate', { body }))
}

/** Others walk through the lists of codes, of which the partner has just created some. */
async function listCodesAsOthers(context: PlanContext): Promise<void> {
  const tax_id = newTaxId(context)
  // Two, so that a list with one record for each page has a second one.
  for (const kind of [...CODE_KINDS, ...CODE_KINDS]) await createCodeOfPayer(context, kind, tax_id)
  const queries = [
    { limit: '1' },
    { status: 'ATIVA' },
    { tax_id },
    { tax_id, status: 'ATIVA', limit: '1' },
  ]
  const walks = CODE_KINDS.flatMap(({ list }) =>
    othersOf(context).flatMap((by) => queries.map((query) => ({ list, by, query }))),
  )
  await context.sideBySide(walks, ({ list, by, query }) =>
    walk(context, list, { by, query, pages: 3 }),
  )
}

/**
 * The partner tries QR codes of its customer, which are foreign to it. The tax ID of a customer is
 * often its key.
 */
async function tryCodesOfCustomer(context: PlanContext): Promise<void> {
  const { send } = context
  const { taxId: dict_key } = await findCustomer(context, 'partner')
  await send('checkKey', { body: { dict_key }, by: 'customer' })
  for (const kind of CODE_KINDS) {
    const body: Json = { ...validBody(context, kind.create), dict_key }
    const { id } = await createRecord(context, kind.create, { body, by: 'customer' })
    // The key may be that of nobody.
    if (id === undefined) return
    await send(kind.list)
    await send(kind.cancel, { path: { id } })
    // A tx_id is unique among the codes of the partner and of its customers.
    const { tx_id } = body
    await send(kind.create, { body: { ...validBody(context, kind.create), tx_id } })
  }
}

/** Users, and customers of each, as whom a run acts. */
const MOST_USERS = 3
const MOST_CUSTOMERS = 4

/** Acts as customers with the users that show them, and with others, and pays as each of them. */
async function actAsEach(context: PlanContext): Promise<void> {
  const { send, maySearch, sideBySide } = context
  // On a live service, nobody is impersonated unasked.
  if (!maySearch) return

  const { json } = await send('listUsers')
  const users = idsAt(json, '/users').slice(0, MOST_USERS)
  const shown: { readonly user_id: string; readonly customers: readonly string[] }[] = []
  for (const user_id of users) {
    const user = await send('getUser', { path: { user_id } })
    shown.push({ user_id, customers: idsAt(user.json, '/customers') })
  }

  const pairs = shown.flatMap(({ user_id, customers }) =>
    customers.slice(0, MOST_CUSTOMERS).map((customer_id) => ({ user_id, customer_id })),
  )
  await sideBySide(pairs, (pair) => payAs(context, pair))

  for (const { user_id, customers } of shown) {
    const others = shown.flatMap((other) => other.customers)
    const customer_id = others.find((id) => !customers.includes(id))
    if (customer_id !== undefined) await send('impersonate', { body: { user_id, customer_id } })
  }
}

/** Acts as a customer, and pays, which shows whose account that is. */
async function payAs(
  context: PlanContext,
  body: { readonly user_id: string; readonly customer_id: string },
): Promise<void> {
  const { json } = await context.send('impersonate', { body })
  const token = stringAt(json, '/access_token')
  if (token === undefined || !context.isChosen('createTransfer')) return

  const by = { authorization: `Bearer ${token}` }
  const input = await validRequest(context, 'createTransfer', { example: 3, by })
  if (input) await context.send('createTransfer', input)
}

/** The ids of the records in a list at a place. */
function idsAt(json: unknown, place: string): string[] {
  const records = valueAt(json, place)
  if (!Array.isArray(records)) return []
  return records.flatMap((record) => stringAt(record, '/id') ?? [])
}

/** The first customer of a partner. */
export async function findCustomer({ send }: PlanContext, by: Sender) {
  const user = await findUser(send, by)
  return {
    user_id: user?.user_id ?? '',
    customer_id: stringAt(user?.shown, '/customers/0/id') ?? '',
    taxId: stringAt(user?.shown, '/customers/0/tax_id') ?? '',
    account: stringAt(user?.shown, '/customers/0/account_number') ?? '',
  }
}
