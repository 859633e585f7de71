import { by, type Call } from '../services/call.ts'
import { bodyOf, problem, remade } from '../services/responses.ts'
import type { TestSandbox } from '../services/sandbox.ts'
import { callerOf, ownerOf, rowOf } from '../services/state.ts'
import {
  type Next,
  onCall,
  onResponse,
  onSuccess,
  type Services,
  together,
} from '../services/wrap.ts'

const TOKENS = /^(signIn|impersonate)$/

const MANAGED = /^(impersonate|listUsers|getUser|\w+Webhooks?|rotateWebhookSecret)$/
const CHALLENGE = { headers: { 'www-authenticate': 'Bearer' } }

export const access: Services = {
  'scheme-none': together(
    onResponse((response, { operation }) => {
      if (response.status === 401 && operation !== 'signIn')
        response.headers.set('www-authenticate', 'Token')
      return response
    }),
    { operations: TOKENS, ...onSuccess((body) => ({ ...body, type: '' })) },
    { operations: /^(?!signIn$)/, ...onCall(withBareToken) },
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
  'kinds-401': onResponse((it) =>
    it.status === 403 ? remade(problem(401, 'invalid_token'), CHALLENGE) : it,
  ),
  'foreign-403': onResponse(forbidden),
  'partner-cancels-for-customers': { wrap: cancelledForCustomer },
}

/** The header is the token alone. */
function withBareToken(call: Call): Call {
  const token = /^(\S+)$/.exec(call.headers.get('authorization') ?? '')?.[1]
  return by(call, token === undefined ? null : `Bearer ${token}`)
}

async function refreshed(call: Call, next: Next, { memory }: TestSandbox): Promise<Response> {
  const token = memory.get(call.headers.get('authorization'))
  const response = await next(token ? by(call, String(token)) : call)
  const body =
    response.ok && TOKENS.test(String(call.operation)) ? await bodyOf(response) : undefined
  if (body) memory.set(`Bearer ${body.refresh_token}`, `Bearer ${body.access_token}`)
  return response
}

/** Remembers which tokens have ended, and the token of each sign-in. */
async function oneToken(call: Call, next: Next, { memory }: TestSandbox): Promise<Response> {
  const authorization = call.headers.get('authorization')
  // The sign-in is not authorized by a token.
  if (call.operation !== 'signIn')
    return memory.get(authorization) === 'ended'
      ? remade(problem(401, 'invalid_token'), CHALLENGE)
      : next(call)
  const response = await next(call)
  if (!response.ok) return response
  memory.set(memory.get(authorization), 'ended')
  memory.set(authorization, `Bearer ${(await bodyOf(response))?.access_token}`)
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
  const isMeant = response.status === 404 && /^cancel/.test(call.operation ?? '') && customer
  return isMeant && caller && !caller.customer_id ? next(by(call, String(customer))) : response
}

/** The tables to search for records of other callers. */
const KEPT: Readonly<Record<string, string>> = {
  webhook_id: 'webhooks WHERE deleted_at IS NULL AND id = ?',
  user_id: 'users WHERE id = ?',
  id: `qrcodes WHERE id = ? AND ? LIKE '%' || kind || '%'`,
}

async function forbidden(
  response: Response,
  { operation, path }: Call,
  sandbox: TestSandbox,
): Promise<Response> {
  const [name = '', id = ''] = Object.entries(path)[0] ?? []
  if (response.status !== 404 || !operation || !KEPT[name]) return response
  const sql = `SELECT 1 AS found FROM ${KEPT[name]}`
  const found = await rowOf(sandbox, sql, ...(name === 'id' ? [id, operation] : [id]))
  return found ? problem(403, 'forbidden') : response
}
