import type { Operation } from '../contract/contract.ts'
import { type Json, listItems, stringAt, valueAt } from '../contract/json.ts'
import { OPEN } from '../contract/words.ts'
import { findUser } from '../send/customers.ts'
import type { Input, Sender } from '../send/requests.ts'
import { validBody } from './bodies.ts'
import { createCodeOfPayer, newTaxId } from './lists.ts'
import type { Plan, PlanContext } from './plan.ts'
import { CODE_KINDS, WEBHOOKS } from './records.ts'
import { sendValidRequest } from './send-valid.ts'
import { createRecord, EXAMPLE, prepareValidRequest } from './valid-requests.ts'
import { walkList } from './walk-list.ts'

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
    const credentials = await wrongCredentials(context)
    const operations = context.contract.operations.filter(
      ({ id, isAlias, scheme }) => !isAlias && scheme !== 'basic' && context.isChosen(id),
    )
    await context.sideBySide(operations, (operation) =>
      tryOperation(context, operation, credentials),
    )
    const parts = [listCodesAsOthers, tryCodesOfCustomer, actAsEachCustomer, actAsCustomersOfOthers]
    if (context.isChosen('getWebhook')) parts.push(readPausedWebhookAsOthers)
    await context.sideBySide(parts, (part) => part(context))
    await context.repeatLaggingReads()
  },
}

/**
 * Sends a valid request of each identity. If one is refused even that, its other refusals say nothing.
 */
async function sendAsEach({ send, identities }: PlanContext): Promise<void> {
  await send('listUsers')
  if (identities.has('other')) await send('listUsers', { by: 'other' })
  await send('listImmediateQrCodes', { by: 'customer' })
}

/** Sends a request of the partner with wrong credentials, as others, and reads what it may change. */
async function tryOperation(
  context: PlanContext,
  operation: Operation,
  credentials: readonly Partial<Input>[],
): Promise<void> {
  const { send, sideBySide } = context
  const { id } = operation
  const input = await prepareValidRequest(context, id)
  if (!input) return

  await sideBySide(credentials, (wrong) => send(id, { ...input, ...wrong }))
  for (const by of identitiesWithoutRight(context, operation)) await send(id, { ...input, by })
  await readAsOwner(context, id, input)
}

/** The identities that own none of the partner's records. */
function otherIdentities({ identities }: PlanContext): Sender[] {
  return identities.has('other') ? ['other', 'customer'] : ['customer']
}

/** The identities whom the service must refuse a request of the partner. */
function identitiesWithoutRight(context: PlanContext, operation: Operation): Sender[] {
  // Webhooks are for partners only.
  if (operation.id === 'createWebhook') return ['customer']
  // Others may send it too.
  if (namesNoRecord(operation)) return []
  return otherIdentities(context)
}

/**
 * Whether an operation creates a record of its sender, or acts on none, such as the check of a code
 * that anybody may pay. If nothing is declared of the operation, it may name a record.
 */
function namesNoRecord({ id, role, resource }: Operation): boolean {
  const isDeclared = role !== id
  return role === 'create' || (isDeclared && resource === undefined)
}

/** Others read a webhook of the partner while it is inactive, when it is as foreign to them. */
async function readPausedWebhookAsOthers(context: PlanContext): Promise<void> {
  // This valid request sets the status to inactive.
  const updated = await sendValidRequest(context, 'updateWebhook')
  const path = updated?.input.path
  if (!path) return
  for (const by of otherIdentities(context)) await context.send('getWebhook', { path, by })
}

/** Sign-ins whose client key or client secret is almost right. */
async function signInWrongly({
  send,
  sideBySide,
  identities: { credentials },
}: PlanContext): Promise<void> {
  const basic = credentials[0]?.split(' ')[1]
  if (basic === undefined) return
  const rightPair = atob(basic)
  // In capital letters, a key may be the same.
  const pairs = similarPairs(rightPair).filter((pair) => pair !== rightPair)
  await sideBySide(pairs, (pair) =>
    send('signIn', { by: { authorization: `Basic ${btoa(pair)}` } }),
  )
  await send('signIn', { by: null })
  await send('signIn', { by: { authorization: `Bearer ${basic}` } })
}

/** Pairs that are almost the right one, which is `clientKey:clientSecret`. */
function similarPairs(rightPair: string): string[] {
  const [key = ''] = rightPair.split(':', 1)
  const secret = rightPair.slice(key.length + 1)
  const keys = [key.toUpperCase(), `${key}x`, '']
  const secrets = [
    'wrong',
    '',
    secret.slice(0, -1),
    secret.slice(0, 3),
    [...secret].map(swapCase).join(''),
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

function swapCase(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
}

/** Credentials with which every operation but the sign-in must be refused, as parts of requests. */
async function wrongCredentials(context: PlanContext): Promise<Partial<Input>[]> {
  const { send } = context
  const [authorization = ''] = context.identities.credentials
  const { json } = await send('signIn', { by: { authorization } })
  const token = stringAt(json, '/access_token') ?? 'none'
  const refreshToken = stringAt(json, '/refresh_token') ?? 'none'
  // A service that takes any scheme takes it for all operations, so that one is enough.
  for (const scheme of ['Token', 'OAuth'])
    await send('listUsers', { by: { authorization: `${scheme} ${token}` } })

  const customer = await sendValidRequest(context, 'impersonate')
  const refreshTokenOfCustomer = stringAt(customer?.json, '/refresh_token') ?? 'none'
  const headers = [
    'Bearer ',
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${refreshToken}`,
    `Bearer ${refreshTokenOfCustomer}`,
    `Basic ${token}`,
    token,
    authorization,
  ]
  return [
    { by: null },
    { by: null, query: { access_token: token } },
    ...headers.map((header) => ({ by: { authorization: header } })),
  ]
}

/** The owner reads what a request may have changed: its webhook, and the list of its kind. */
async function readAsOwner(
  { send }: PlanContext,
  operation: string,
  { path }: Input,
): Promise<void> {
  if (path?.webhook_id !== undefined) await send('getWebhook', { path })
  if (WEBHOOKS.includes(operation)) await send('listWebhooks')
  for (const { create, list, cancel } of CODE_KINDS)
    if ([create, list, cancel].includes(operation)) await send(list)
}

/** The partner reads a user of another partner and acts as its customer, and the other way round. */
async function actAsCustomersOfOthers(context: PlanContext): Promise<void> {
  const { send, identities, sideBySide } = context
  if (!identities.has('other')) return

  const ownCustomer = await findCustomer(context, 'partner')
  const foreignCustomer = await findCustomer(context, 'other')
  await send('getUser', { path: { user_id: ownCustomer.user_id }, by: 'other' })
  await send('getUser', { path: { user_id: foreignCustomer.user_id } })
  // First the user and its customer are of another partner, then only one of them.
  const pairs = [
    { user_id: foreignCustomer.user_id, customer_id: foreignCustomer.customer_id },
    { user_id: ownCustomer.user_id, customer_id: foreignCustomer.customer_id },
    { user_id: foreignCustomer.user_id, customer_id: ownCustomer.customer_id },
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
    { status: OPEN },
    { tax_id },
    { tax_id, status: OPEN, limit: '1' },
  ]
  const walks = CODE_KINDS.flatMap(({ list }) =>
    otherIdentities(context).flatMap((by) => queries.map((query) => ({ list, by, query }))),
  )
  await context.sideBySide(walks, ({ list, by, query }) =>
    walkList(context, list, { by, query, maxPages: 3 }),
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

/** A run acts as customers of so many users, and so many of each. */
const MAX_USERS = 3
const MAX_CUSTOMERS = 4

/** The ids of a user, and of the customers that it shows. */
interface UserWithCustomers {
  readonly user_id: string
  readonly customers: readonly string[]
}

/**
 * Acts as the customers of several users, and pays as each of them. Then acts as a customer whom the
 * user does not show.
 */
async function actAsEachCustomer(context: PlanContext): Promise<void> {
  const { send, maySearch, sideBySide } = context
  // On a live service, nobody is impersonated unasked.
  if (!maySearch) return

  const { json } = await send('listUsers')
  const users = idsAt(json, '/users').slice(0, MAX_USERS)
  const usersWithCustomers: UserWithCustomers[] = []
  for (const user_id of users) {
    const user = await send('getUser', { path: { user_id } })
    usersWithCustomers.push({ user_id, customers: idsAt(user.json, '/customers') })
  }

  const pairs = usersWithCustomers.flatMap(({ user_id, customers }) =>
    customers.slice(0, MAX_CUSTOMERS).map((customer_id) => ({ user_id, customer_id })),
  )
  await sideBySide(pairs, (pair) => payAs(context, pair))

  const allCustomers = usersWithCustomers.flatMap(({ customers }) => customers)
  for (const { user_id, customers } of usersWithCustomers) {
    const customer_id = allCustomers.find((id) => !customers.includes(id))
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
  const input = await prepareValidRequest(context, 'createTransfer', { example: EXAMPLE.key, by })
  if (input) await context.send('createTransfer', input)
}

/** The ids of the records in a list: of the users at `/users`. */
function idsAt(json: unknown, pointer: string): string[] {
  const records = listItems(valueAt(json, pointer))
  return records.flatMap((record) => stringAt(record, '/id') ?? [])
}

/** The first customer of a partner, and its user. Each value is empty if the service shows none. */
export async function findCustomer({ send }: PlanContext, by: Sender) {
  const user = await findUser(send, by)
  return {
    user_id: user?.user_id ?? '',
    customer_id: stringAt(user?.shown, '/customers/0/id') ?? '',
    taxId: stringAt(user?.shown, '/customers/0/tax_id') ?? '',
    account: stringAt(user?.shown, '/customers/0/account_number') ?? '',
  }
}
