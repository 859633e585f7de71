import { by, type Call } from '../services/call.ts'
import { bodyOf, problem } from '../services/responses.ts'
import type { Partner, TestSandbox } from '../services/sandbox.ts'
import { callerOf, rowOf } from '../services/state.ts'
import { before, changeResponse, type Wrap } from '../services/wrap.ts'
import { responding } from './kit.ts'
import { type Service, type Services, together } from './service.ts'

const TOKENS = /^(signIn|impersonate)$/

export const access: Services = {
  'scheme-none': scheme('', /^(\S+)$/),
  'refresh-accepted': { wrap: refreshed },
  'expiration-ms': responding(TOKENS, (body) => ({ ...body, expiration: 3_600_000 })),
  'customers-manage': {
    wrap: before(undefined, async (call, sandbox) => {
      const caller = MANAGED.test(String(call.operation)) ? await callerOf(call, sandbox) : undefined
      return caller?.customer_id ? by(call, await sandbox.bearer(partnerOf(caller))) : call
    }),
  },
  'foreign-403': { wrap: changeResponse(undefined, forbidden) },
}

const MANAGED = /^(impersonate|listUsers|getUser|\w+Webhooks?|rotateWebhookSecret)$/
/** Reads the token from another header scheme; `type` is the token type in responses. */
function scheme(type: string, pattern: RegExp): Service {
  const challenge = changeResponse(undefined, (response, { operation }) => {
    if (response.status === 401 && operation !== 'signIn')
      response.headers.set('www-authenticate', type || 'Token')
    return response
  })
  const wrap = before(undefined, (call) => {
    const token = pattern.exec(call.headers.get('authorization') ?? '')?.[1]
    return call.operation === 'signIn' ? call : by(call, token === undefined ? null : `Bearer ${token}`)
  })
  return together(
    { wrap: challenge },
    responding(TOKENS, (body) => ({ ...body, type })),
    { wrap },
  )
}

function refreshed(): ReturnType<Wrap> {
  const access = new Map<string | null, string>()
  return async (call, next) => {
    const token = access.get(call.headers.get('authorization'))
    const response = await next(token ? by(call, token) : call)
    const body = response.ok && TOKENS.test(String(call.operation)) ? await bodyOf(response) : undefined
    if (body) access.set(`Bearer ${body.refresh_token}`, `Bearer ${body.access_token}`)
    return response
  }
}

function partnerOf({ partner_id }: { partner_id: string }): Partner {
  return partner_id.startsWith('47216ec3') ? 'partner' : 'other'
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
  const found = await rowOf(sandbox, sql, name === 'id' ? [id, operation] : [id])
  return found ? problem(403, 'forbidden') : response
}
