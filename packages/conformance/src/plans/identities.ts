import { type Json, stringAt } from '../contract/json.ts'
import type { Input, Sender } from '../send/sender.ts'
import { KINDS } from './lifecycles.ts'
import { createFor, newTaxId, walk } from './lists.ts'
import { created, type Plan, type PlanContext, sendValid, validBody, validRequest } from './plan.ts'

/**
 * Sends each operation without credentials, with wrong ones, and as another identity, and looks at
 * the records after it.
 */
export const identities: Plan = {
  id: 'identities',
  wants: ['access'],
  async run(context) {
    if (context.isChosen('signIn')) await signInWrongly(context)
    const wrong = await wrongCredentials(context)
    for (const { id, isAlias, scheme } of context.contract.operations) {
      if (isAlias || scheme === 'basic' || !context.isChosen(id)) continue
      const input = await validRequest(context, id)
      if (!input) continue
      for (const it of wrong) await context.send(id, { ...input, ...it })
      for (const by of othersFor(context, id)) await context.send(id, { ...input, by })
      await look(context, id, input)
    }
    if (context.isChosen('getWebhook')) await readInactive(context)
    await listAsOthers(context)
    await context.lookAgain()
  },
}

function othersOf({ identities }: PlanContext): Sender[] {
  return identities.has('other') ? ['other', 'customer'] : ['customer']
}

/** Creations name no record of another identity; those for partners are tried by a customer. */
function othersFor(context: PlanContext, id: string): Sender[] {
  if (id === 'createWebhook') return ['customer']
  return /^(create|check)/.test(id) ? [] : othersOf(context)
}

/** The webhook of the owner is as foreign to others while it is inactive. */
async function readInactive(context: PlanContext): Promise<void> {
  const updated = await sendValid(context, 'updateWebhook')
  const path = updated?.input.path
  for (const by of path ? othersOf(context) : []) await context.send('getWebhook', { path, by })
}

/** Sign-ins whose client key or client secret is almost right. */
async function signInWrongly({ send, identities: { credentials } }: PlanContext): Promise<void> {
  const basic = credentials[0]?.split(' ')[1]
  if (basic === undefined) return
  const own = atob(basic)
  const [key = ''] = own.split(':', 1)
  const secret = own.slice(key.length + 1)
  const swapped = [...secret].map((it) =>
    it === it.toLowerCase() ? it.toUpperCase() : it.toLowerCase(),
  )
  const secrets = ['wrong', '', secret.slice(0, -1), secret.slice(0, 3), swapped.join('')]
  const padded = [`${secret}x`, ` ${secret} `, `${secret} `]
  const wrong = [
    ...[...secrets, ...padded].map((it) => `${key}:${it}`),
    ...[key.toUpperCase(), `${key}x`, ''].map((it) => `${it}:${secret}`),
    ':',
  ]
  for (const it of wrong.filter((it) => it !== own))
    await send('signIn', { by: { authorization: `Basic ${btoa(it)}` } })
  await send('signIn', { by: null })
  await send('signIn', { by: { authorization: `Bearer ${basic}` } })
}

/** Credentials with which no operation but sign-in is accepted. */
async function wrongCredentials(context: PlanContext): Promise<Partial<Input>[]> {
  const { send } = context
  const [authorization = ''] = context.identities.credentials
  const { json } = await send('signIn', { by: { authorization } })
  const [access, refresh] = ['/access_token', '/refresh_token'].map(
    (it) => stringAt(json, it) ?? 'none',
  )
  // Who reads any scheme does so for all operations alike.
  for (const it of ['Token', 'OAuth'])
    await send('listUsers', { by: { authorization: `${it} ${access}` } })
  const customer = await sendValid(context, 'impersonate')
  return [
    { by: null },
    { by: null, query: { access_token: access ?? '' } },
    ...[
      'Bearer ',
      `Bearer ${access?.slice(0, -1)}`,
      `Bearer ${refresh}`,
      `Bearer ${stringAt(customer?.json, '/refresh_token') ?? 'none'}`,
      `Basic ${access}`,
      `${access}`,
      authorization,
    ].map((it) => ({ by: { authorization: it } })),
  ]
}

/** The owner looks at what a request may have changed. */
async function look({ send }: PlanContext, id: string, { path }: Input): Promise<void> {
  if (path?.webhook_id !== undefined) await send('getWebhook', { path })
  for (const it of ['Webhook', ...KINDS]) if (id.includes(it)) await send(`list${it}s`)
}

/** Lists with filters and pages, and users and customers of others. */
async function listAsOthers(context: PlanContext): Promise<void> {
  const { send, identities } = context
  const tax_id = newTaxId(context)
  // Two, so that a list with one record for each page has a second one.
  for (const kind of [...KINDS, ...KINDS]) await createFor(context, kind, tax_id)
  const queries = [
    { limit: '1' },
    { status: 'ATIVA' },
    { tax_id },
    { tax_id, status: 'ATIVA', limit: '1' },
  ]
  for (const kind of KINDS)
    for (const by of othersOf(context))
      for (const query of queries) await walk(context, `list${kind}s`, { by, query, pages: 3 })
  const own = await customerOf(context, 'partner')
  await tryCodesOfCustomer(context, own.taxId)
  if (!identities.has('other')) return
  const others = await customerOf(context, 'other')
  await send('getUser', { path: { user_id: own.user_id }, by: 'other' })
  await send('getUser', { path: { user_id: others.user_id } })
  const { user_id, customer_id } = others
  for (const ids of [{ user_id, customer_id }, { customer_id }, { user_id }])
    await send('impersonate', {
      body: { user_id: own.user_id, customer_id: own.customer_id, ...ids },
    })
}

/**
 * The partner tries QR codes of its customer, which are foreign to it. The tax ID of a customer is
 * often its key.
 */
async function tryCodesOfCustomer(context: PlanContext, dict_key: string): Promise<void> {
  const { send } = context
  await send('checkKey', { body: { dict_key }, by: 'customer' })
  for (const kind of KINDS) {
    const body: Json = { ...validBody(context, `create${kind}`), dict_key }
    const { id } = await created(context, `create${kind}`, { body, by: 'customer' })
    // The key may be that of nobody.
    if (id === undefined) return
    await send(`list${kind}s`)
    await send(`cancel${kind}`, { path: { id } })
    // A tx_id is unique among the codes of the partner and of its customers.
    const { tx_id } = body
    await send(`create${kind}`, { body: { ...validBody(context, `create${kind}`), tx_id } })
  }
}

/** The first customer of the first user. */
export async function customerOf({ send }: PlanContext, by: Sender) {
  const user_id = stringAt((await send('listUsers', { by })).json, '/users/0/id') ?? ''
  const user = await send('getUser', { path: { user_id }, by })
  const [customer_id = '', taxId = '', account = ''] = ['id', 'tax_id', 'account_number'].map(
    (it) => stringAt(user.json, `/customers/0/${it}`),
  )
  return { user_id, customer_id, taxId, account }
}
