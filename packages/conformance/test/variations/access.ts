import { by, type Call } from '../services/call.ts'
import { bodyOf, problem, remade } from '../services/responses.ts'
import type { TestSandbox } from '../services/sandbox.ts'
import { callerOf, ownerOf, rowOf } from '../services/state.ts'
import {
  handle,
  type Next,
  onCall,
  onResponse,
  onSuccess,
  refuse,
  type Services,
  together,
} from '../services/wrap.ts'
import { DYNAMIC_OPERATIONS } from './kit.ts'

/** The operations that return a token. */
const TOKENS: ReadonlySet<string> = new Set(['signIn', 'impersonate'])

/** The operations that a token of a customer may not call. */
const MANAGED: ReadonlySet<string> = new Set([
  'impersonate',
  'listUsers',
  'getUser',
  'createWebhook',
  'listWebhooks',
  'getWebhook',
  'updateWebhook',
  'rotateWebhookSecret',
  'deleteWebhook',
])

/** The operations on payments and QR codes, which are those of an account. */
const OF_ACCOUNTS: ReadonlySet<string> = new Set([
  'createTransfer',
  'createStaticQrCode',
  ...DYNAMIC_OPERATIONS,
])

const CANCELLATIONS: ReadonlySet<string> = new Set(['cancelImmediateQrCode', 'cancelDueDateQrCode'])

const CHALLENGE = { headers: { 'www-authenticate': 'Bearer' } }

export const access: Services = {
  'scheme-none': together(
    onResponse((response, { operation }) => {
      if (response.status === 401 && operation !== 'signIn')
        response.headers.set('www-authenticate', 'Token')
      return response
    }),
    { operations: TOKENS, ...onSuccess((body) => ({ ...body, type: '' })) },
    onCall((call) => (call.operation === 'signIn' ? call : withBareToken(call))),
  ),
  'scheme-token': together(
    onResponse((response, { operation }) => {
      if (response.status === 401 && operation !== 'signIn')
        response.headers.set('www-authenticate', 'Token')
      return response
    }),
    { operations: TOKENS, ...onSuccess((body) => ({ ...body, type: 'Token' })) },
    onCall((call) => (call.operation === 'signIn' ? call : withTokenScheme(call))),
  ),
  'bearer-exact': together(
    { operations: TOKENS, ...onSuccess((body) => ({ ...body, type: 'bearer' })) },
    onCall((call) => {
      const isOtherCase = /^bearer /i.test(call.headers.get('authorization') ?? '')
      const isExact = call.headers.get('authorization')?.startsWith('Bearer ')
      return isOtherCase && !isExact ? by(call, 'Token none') : call
    }),
  ),
  'refresh-accepted': { wrap: refreshed },
  'expiration-ms': {
    operations: TOKENS,
    ...onSuccess((body) => ({ ...body, expiration: 3_600_000 })),
  },
  'one-token-at-a-time': { wrap: oneToken },
  'customers-manage': {
    operations: MANAGED,
    ...onCall(async (call, sandbox) => {
      const caller = await callerOf(call, sandbox)
      return caller?.customer_id ? by(call, await ownerOf(call, sandbox)) : call
    }),
  },
  'customers-pay': {
    operations: OF_ACCOUNTS,
    ...refuse([403, 'wrong_token_kind'], async (_, call, sandbox) => {
      const caller = await callerOf(call, sandbox)
      return caller?.customer_id === null
    }),
  },
  'keys-of-customers': {
    operations: new Set(['createImmediateQrCode', 'createDueDateQrCode']),
    ...handle(async (call, next, sandbox) => {
      const caller = await callerOf(call, sandbox)
      if (caller?.customer_id !== null) return next(call)
      const error = { at: '/dict_key', code: 'PX-1440', text: 'not a key of yours' }
      return Response.json({ errors: [error] }, { status: 403 })
    }),
  },
  'kinds-401': onResponse((response) =>
    response.status === 403 ? remade(problem(401, 'invalid_token'), CHALLENGE) : response,
  ),
  'foreign-403': onResponse(forbidden),
  'partner-cancels-for-customers': { wrap: cancelledForCustomer },
}

/** The header is the token alone. */
function withBareToken(call: Call): Call {
  const token = /^(\S+)$/.exec(call.headers.get('authorization') ?? '')?.[1]
  return by(call, token === undefined ? null : `Bearer ${token}`)
}

/** The scheme is Token, and Bearer is as unknown as Token is to the sandbox. */
function withTokenScheme(call: Call): Call {
  const authorization = call.headers.get('authorization')
  if (authorization === null) return call

  const [, token] = /^token (.*)$/i.exec(authorization) ?? []
  return by(call, token === undefined ? 'Token none' : `Bearer ${token}`)
}

/** Remembers the access token of each refresh token, and uses it in its place. */
async function refreshed(call: Call, next: Next, { memory }: TestSandbox): Promise<Response> {
  const token = memory.get(call.headers.get('authorization'))
  const response = await next(token ? by(call, String(token)) : call)
  if (!response.ok || !TOKENS.has(call.operation ?? '')) return response

  const body = await bodyOf(response)
  if (body) memory.set(`Bearer ${body.refresh_token}`, `Bearer ${body.access_token}`)
  return response
}

/** Remembers which tokens have ended, and the token of each sign-in. */
async function oneToken(call: Call, next: Next, { memory }: TestSandbox): Promise<Response> {
  const authorization = call.headers.get('authorization')
  // The sign-in is not authorized by a token.
  if (call.operation !== 'signIn') {
    const hasEnded = memory.get(authorization) === 'ended'
    return hasEnded ? remade(problem(401, 'invalid_token'), CHALLENGE) : next(call)
  }

  const response = await next(call)
  if (!response.ok) return response
  const body = await bodyOf(response)
  const previousToken = memory.get(authorization)
  memory.set(previousToken, 'ended')
  memory.set(authorization, `Bearer ${body?.access_token}`)
  return response
}

/** A cancellation that finds nothing is repeated as the customer that was last seen. */
async function cancelledForCustomer(
  call: Call,
  next: Next,
  sandbox: TestSandbox,
): Promise<Response> {
  const { memory } = sandbox
  const caller = await callerOf(call, sandbox)
  if (caller?.customer_id) memory.set('customer', call.headers.get('authorization'))

  const response = await next(call)
  const customer = memory.get('customer')
  const isMissing = response.status === 404 && CANCELLATIONS.has(call.operation ?? '')
  const isPartner = caller && !caller.customer_id
  return isMissing && isPartner && customer ? next(by(call, String(customer))) : response
}

/** The tables to search for records of other callers, by the parameter of a path. */
const TABLES: Readonly<Record<string, string>> = {
  webhook_id: 'webhooks WHERE deleted_at IS NULL AND id = ?',
  user_id: 'users WHERE id = ?',
  // The name of an operation contains the kind of its QR codes.
  id: `qrcodes WHERE id = ? AND ? LIKE '%' || kind || '%'`,
}

async function forbidden(
  response: Response,
  { operation, path }: Call,
  sandbox: TestSandbox,
): Promise<Response> {
  const [parameter] = Object.entries(path)
  if (response.status !== 404 || !operation || !parameter) return response
  const [name, id] = parameter
  const table = TABLES[name]
  if (!table) return response

  const values = name === 'id' ? [id, operation] : [id]
  const record = await rowOf(sandbox, `SELECT 1 AS found FROM ${table}`, ...values)
  return record ? problem(403, 'forbidden') : response
}
