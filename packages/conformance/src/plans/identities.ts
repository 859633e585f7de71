import type { Operation } from '../contract/contract.ts'
import { type Json, listItems, stringAt, valueAt } from '../contract/json.ts'
import { OPEN } from '../contract/words.ts'
import type { Input, Outcome, Sender } from '../send/requests.ts'
import { readTokenSender } from '../send/token-requests.ts'
import { validBody } from './bodies.ts'
import { tryCodesAsOtherCustomers } from './codes-of-customers.ts'
import { findCustomer } from './customers.ts'
import { createCodeOfPayer, newTaxId } from './payers.ts'
import type { Plan, PlanContext } from './plan.ts'
import { CODE_KINDS, WEBHOOKS } from './records.ts'
import { sendValidRequest } from './send-valid.ts'
import { waitForEndInMilliseconds } from './token-lifetimes.ts'
import { createRecord, EXAMPLE, prepareValidRequest } from './valid-requests.ts'
import { recordsOnPage, walkList } from './walk-list.ts'

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
  /**
   * Sends requests as each identity, then with wrong credentials, and as identities that must not read or
   * change the records of others.
   */
  async run(context) {
    await sendAsEach(context)
    if (context.isChosen('signIn')) await signInWrongly(context)
    const credentials = await wrongCredentials(context)
    // All operations that take a token, so not the sign-in; each by its declared path, and not by a second one (alias).
    const operations = context.contract.operations.filter(
      ({ id, isAlias, scheme }) => !isAlias && scheme !== 'basic' && context.isChosen(id),
    )
    await context.sideBySide(operations, (operation) =>
      tryOperation(context, operation, credentials),
    )
    const attempts = [
      listCodesAsOthers,
      tryCodesOfCustomer,
      tryCodesAsOtherCustomers,
      cancelListedCodes,
      actAsEachCustomer,
      actAsCustomersOfOthers,
    ]
    if (context.isChosen('getWebhook'))
      attempts.push(readPausedWebhookAsOthers, readWebhookOfCustomer)
    if (context.isChosen('listWebhooks')) attempts.push(listWebhooksAsOthers)
    await context.sideBySide(attempts, (attempt) => attempt(context))
    await context.repeatLaggingReads()
    await waitForEndInMilliseconds(context)
  },
}

/**
 * Sends a valid request of each identity. If one is refused even that, its other refusals say nothing.
 */
async function sendAsEach({ send, identities, sideBySide }: PlanContext): Promise<void> {
  const requests = [() => send('listUsers'), () => send('listImmediateQrCodes', { by: 'customer' })]
  if (identities.has('other')) requests.push(() => send('listUsers', { by: 'other' }))
  await sideBySide(requests, (sendRequest) => sendRequest())
}

/**
 * Sends a valid request of the partner with each wrong credential, and as identities without the right to
 * send it. Then reads as the owner what these requests may have changed.
 */
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
  await sideBySide(identitiesWithoutRight(context, operation), async (by) => {
    const { isAccepted } = await send(id, { ...input, by })
    if (isAccepted) await readChangedWebhook(context, operation, { ...input, by })
  })
  await readAsOwner(context, id, input)
}

/**
 * Reads a webhook as the identity from whom the service has accepted a change of it. If the service refuses to show it,
 * the two contradict each other.
 */
async function readChangedWebhook(
  { send, isChosen }: PlanContext,
  { effect }: Operation,
  { path, by }: Input,
): Promise<void> {
  const isChangeOfWebhook = effect !== 'read' && path?.webhook_id !== undefined
  if (isChangeOfWebhook && isChosen('getWebhook')) await send('getWebhook', { path, by })
}

/** The identities that own none of the partner's records. */
function otherIdentities({ identities }: PlanContext): Sender[] {
  return identities.has('other') ? ['other', 'customer'] : ['customer']
}

/**
 * The identities whom the service must refuse a request that names a record of the partner: a customer, and the other
 * partner if the run has one. None if anybody may send such a request.
 */
function identitiesWithoutRight(context: PlanContext, operation: Operation): Sender[] {
  // Webhooks are for partners only.
  if (operation.id === 'createWebhook') return ['customer']
  if (mayOthersSend(operation)) return []
  return otherIdentities(context)
}

/**
 * Whether others may send an operation too: it creates a record of its sender, or acts on none, such as the
 * check of a code that anybody may pay. If nothing is declared of the operation, it may name a record.
 */
function mayOthersSend({ id, role, resource }: Operation): boolean {
  if (role === 'create') return true
  // Such as `create` or `check`. Where nothing is declared of an operation, its id stands in the place of its role.
  const isDeclared = role !== id
  return isDeclared && resource === undefined
}

/** Others try to read a webhook of the partner while it is inactive. The service must refuse that as of an active one. */
async function readPausedWebhookAsOthers(context: PlanContext): Promise<void> {
  // This valid request sets the status to inactive.
  const updated = await sendValidRequest(context, 'updateWebhook')
  const path = updated?.input.path
  if (!path) return
  for (const by of otherIdentities(context)) await context.send('getWebhook', { path, by })
}

/** Others list webhooks while the partner has one: the list must not show it. */
async function listWebhooksAsOthers(context: PlanContext): Promise<void> {
  const { id } = await createRecord(context, 'createWebhook')
  if (id === undefined) return
  for (const by of otherIdentities(context)) await context.send('listWebhooks', { by })
}

/**
 * Sends sign-ins that the service must refuse: with a client key or a client secret that is almost right,
 * without credentials, and with the right ones in another scheme.
 */
async function signInWrongly({ send, sideBySide, identities }: PlanContext): Promise<void> {
  const [headerOfPartner] = identities.credentials
  if (headerOfPartner === undefined) return

  // Basic credentials are `key:secret` in Base64.
  const encodedPair = headerOfPartner.slice('Basic '.length)
  const rightPair = atob(encodedPair)
  // A key without small letters is the same in capital letters, and so not wrong.
  const wrongPairs = similarPairs(rightPair).filter((pair) => pair !== rightPair)
  const headers = [...wrongPairs.map((pair) => `Basic ${btoa(pair)}`), `Bearer ${encodedPair}`]
  const senders = headers.map((authorization) => ({ authorization }))
  await sideBySide([...senders, null], (by) => send('signIn', { by }))
}

/**
 * Pairs of client key and client secret that are almost right: `key:wrong`, `KEY:secret`.
 *
 * @param rightPair Such as `key:secret`.
 */
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

/**
 * Credentials that every operation but the sign-in must refuse, as parts of requests: none at all, a
 * refresh token, a token that is cut off, and so on. `[{ by: null }, { by: { authorization: 'Basic abc' } }, …]`.
 */
async function wrongCredentials(context: PlanContext): Promise<Partial<Input>[]> {
  const { send, sideBySide } = context
  const [authorization = ''] = context.identities.credentials
  const signedIn = await send('signIn', { by: { authorization } })
  const { token, refreshToken } = readTokens(signedIn)
  // A service that takes any scheme takes it for all operations, so that one is enough.
  await sideBySide(['Token', 'OAuth'], (scheme) =>
    send('listUsers', { by: { authorization: `${scheme} ${token}` } }),
  )

  const impersonated = await sendValidRequest(context, 'impersonate')
  const tokensOfCustomer = readTokens(impersonated)
  const headers = [
    'Bearer ',
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${refreshToken}`,
    `Bearer ${tokensOfCustomer.refreshToken}`,
    `Basic ${token}`,
    token,
    authorization,
  ]
  // `null` sends no credentials; a service must not take the token from the query.
  return [
    { by: null },
    { by: null, query: { access_token: token } },
    ...headers.map((header) => ({ by: { authorization: header } })),
  ]
}

/** The tokens that a response issues. Where it has none, `none` stands in, which is as wrong. */
function readTokens(outcome: Outcome | undefined) {
  return {
    token: stringAt(outcome?.json, '/access_token') ?? 'none',
    refreshToken: stringAt(outcome?.json, '/refresh_token') ?? 'none',
  }
}

/**
 * Reads as the partner what a refused request may have changed after all: the webhook that it names, and
 * the list of the records that its operation changes.
 */
async function readAsOwner(
  { send }: PlanContext,
  operation: string,
  { path }: Input,
): Promise<void> {
  if (path?.webhook_id !== undefined) await send('getWebhook', { path })
  if (WEBHOOKS.includes(operation)) await send('listWebhooks')

  for (const { create, list, cancel } of CODE_KINDS) {
    const isOfKind = [create, list, cancel].includes(operation)
    if (isOfKind) await send(list)
  }
}

/**
 * Lets each of two partners read a user of the other one, and lets the first act as a customer of the
 * other. The service must refuse all of it.
 */
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

/**
 * Creates codes as the partner. Then each other identity walks through the lists of codes, which means to
 * request them page by page: no page may show a code of the partner.
 */
async function listCodesAsOthers(context: PlanContext): Promise<void> {
  const tax_id = newTaxId(context)
  // Two, so that a list with one record for each page has a second one.
  await context.sideBySide([...CODE_KINDS, ...CODE_KINDS], (kind) =>
    createCodeOfPayer(context, kind, tax_id),
  )

  const queries = [
    { limit: '1' },
    { status: OPEN },
    { tax_id },
    { tax_id, status: OPEN, limit: '1' },
  ]
  const walks: (() => Promise<unknown>)[] = []
  for (const { list } of CODE_KINDS) {
    for (const by of otherIdentities(context)) {
      for (const query of queries) {
        walks.push(() => walkList(context, list, { by, query, maxPages: 3 }))
      }
    }
  }
  await context.sideBySide(walks, (walk) => walk())
}

/**
 * Creates QR codes as a customer, then lists and cancels them as the partner. It must not see or end
 * them, although the customer is one of its own.
 */
async function tryCodesOfCustomer(context: PlanContext): Promise<void> {
  const { send, sideBySide } = context
  // The tax ID of a customer is often its key.
  const { taxId: dict_key } = await findCustomer(context, 'partner')
  await send('checkKey', { body: { dict_key }, by: 'customer' })
  await sideBySide(CODE_KINDS, async (kind) => {
    const body: Json = { ...validBody(context, kind.create), dict_key }
    const { id } = await createRecord(context, kind.create, { body, by: 'customer' })
    // The service may refuse the creation, since the key may be that of nobody.
    if (id === undefined) return

    await send(kind.list)
    await send(kind.cancel, { path: { id } })
    // The partner creates a code with the same tx_id, which is unique among its codes and those of its customers.
    const { tx_id } = body
    await send(kind.create, { body: { ...validBody(context, kind.create), tx_id } })
  })
}

/** Codes are created for so many customers. */
const MAX_RECEIVERS = 2

/**
 * Creates codes of each kind for the keys of other customers, and cancels as a customer those that its list shows:
 * the service must find what it has shown. Does nothing on a live service, or if the partner has no other customers.
 */
async function cancelListedCodes(context: PlanContext): Promise<void> {
  const { send, codePayers, maySearch } = context
  if (!maySearch) return

  const receivers = await codePayers.listOtherCustomers()
  const keys = receivers.flatMap(({ taxId }) => taxId ?? []).slice(0, MAX_RECEIVERS)
  if (keys.length === 0) return

  // Only these codes have a payer with this tax ID, which the list is filtered by.
  const tax_id = newTaxId(context)
  const by = 'customer'
  for (const kind of CODE_KINDS) {
    const codes = await context.sideBySide(keys, (dict_key) =>
      createCodeOfPayer(context, kind, tax_id, { fields: { dict_key } }),
    )
    const { json } = await send(kind.list, { query: { tax_id }, by })
    const shownIds = recordsOnPage(json).map((record) => stringAt(record, '/id'))
    for (const { id } of codes) {
      const isShown = id !== undefined && shownIds.includes(id)
      if (isShown) await send(kind.cancel, { path: { id }, by })
    }
  }
}

/** A customer creates a webhook, which the service should refuse, and reads it. */
async function readWebhookOfCustomer(context: PlanContext): Promise<void> {
  const by = 'customer'
  const { id } = await createRecord(context, 'createWebhook', { by })
  if (id !== undefined) await context.send('getWebhook', { path: { webhook_id: id }, by })
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
 * Acts as the customers of several users, and pays as each of them. Then tries to act as a customer with
 * a user to whom the customer does not belong, which the service must refuse.
 */
async function actAsEachCustomer(context: PlanContext): Promise<void> {
  const { send, maySearch, sideBySide } = context
  // On a live service, nobody is impersonated unasked.
  if (!maySearch) return

  // Such as `[{ user_id: 'usr_1', customers: ['cus_1', 'cus_2'] }]`.
  const users = await findUsers(context)
  const pairs = users.flatMap(({ user_id, customers }) =>
    customers.slice(0, MAX_CUSTOMERS).map((customer_id) => ({ user_id, customer_id })),
  )
  await sideBySide(pairs, (pair) => payAsCustomer(context, pair))

  const allCustomers = users.flatMap(({ customers }) => customers)
  for (const { user_id, customers } of users) {
    // The first customer that belongs to other users alone.
    const customer_id = allCustomers.find((id) => !customers.includes(id))
    if (customer_id !== undefined) await send('impersonate', { body: { user_id, customer_id } })
  }
}

/** Looks up the first users of the list, with the ids of their customers. */
async function findUsers({ send, sideBySide }: PlanContext): Promise<readonly UserWithCustomers[]> {
  const { json } = await send('listUsers')
  const userIds = listIds(json, '/users').slice(0, MAX_USERS)
  return sideBySide(userIds, async (user_id) => {
    const user = await send('getUser', { path: { user_id } })
    return { user_id, customers: listIds(user.json, '/customers') }
  })
}

/** Gets a token of a customer, and pays with it: the transfer shows which account it pays from. */
async function payAsCustomer(
  context: PlanContext,
  body: { readonly user_id: string; readonly customer_id: string },
): Promise<void> {
  const by = readTokenSender(await context.send('impersonate', { body }))
  if (by === undefined || !context.isChosen('createTransfer')) return

  const options = { example: EXAMPLE.key, by }
  const input = await prepareValidRequest(context, 'createTransfer', options)
  if (input) await context.send('createTransfer', input)
}

/** The ids of the records in a list: of the users at `/users`. */
function listIds(json: unknown, pointer: string): string[] {
  const records = listItems(valueAt(json, pointer))
  return records.flatMap((record) => stringAt(record, '/id') ?? [])
}
