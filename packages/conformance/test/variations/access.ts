import { by, type Call } from '../faulty/call.ts'
import { USERS } from '../faulty/fixtures.ts'
import type { Json } from '../faulty/json.ts'
import { bodyOf, problem } from '../faulty/responses.ts'
import type { TestSandbox } from '../faulty/sandbox.ts'
import { after, before, changeResponse, type Wrap } from '../faulty/wrap.ts'
import { callerIn, hashOf, responding, rows, statuses } from './kit.ts'
import { lists } from './lists.ts'
import { type Service, type Services, together } from './service.ts'

const TOKENS = /^(signIn|impersonate)$/

export const access: Services = {
  'scheme-token': scheme('Token', /^token +(\S+)$/i),
  'scheme-none': scheme('', /^(\S+)$/),
  'scheme-lower': scheme('bearer', /^bearer +(\S+)$/i),
  'scheme-ignored': scheme('Bearer', /^(?:\w+ +)?(\S+)$/),
  'refresh-accepted': { wrap: refreshed },
  'expiration-ms': responding(TOKENS, (body) => ({ ...body, expiration: 3_600_000 })),
  'expiration-minutes': responding(TOKENS, (body) => ({ ...body, expiration: 60 })),
  'expiration-instant': responding(TOKENS, (body, _, { app }) => ({
    ...body,
    expiration: Math.floor(app.clock.now() / 1000) + 3600,
  })),
  'short-tokens': responding(TOKENS, (body, _, sandbox) => {
    const ends = sandbox.app.clock.now() + 300_000
    void sandbox.run('UPDATE tokens SET expires_at = ? WHERE hash = ?', [ends, hashOf(body.access_token)])
    return { ...body, expiration: 300 }
  }),
  'single-session': { wrap: after('signIn', endOthers) },
  'customers-manage': {
    wrap: before(undefined, async (call, sandbox) => {
      const caller = MANAGED.test(String(call.operation)) ? await callerIn(call, sandbox) : undefined
      return caller?.customer_id ? by(call, await sandbox.bearer(partnerOf(caller))) : call
    }),
  },
  'customers-pay': {
    wrap: (sandbox) => async (call, next) => {
      const caller = PAID.test(String(call.operation)) ? await callerIn(call, sandbox) : undefined
      return caller?.customer_id === null ? problem(403, 'wrong_token_kind') : next(call)
    },
  },
  'permission-404': statuses({ 403: 404 }),
  'foreign-403': { wrap: changeResponse(undefined, forbidden) },
  'partner-sees-all': together(lists({ others: customersOf }), {
    wrap: (sandbox) => async (call, next) => {
      const response = await next(call)
      const isMeant = response.status === 404 && /^cancel/.test(String(call.operation))
      const [customer] = isMeant ? await customersOf(call, sandbox) : []
      return customer ? next(by(call, customer)) : response
    },
  }),
}

const MANAGED = /^(impersonate|listUsers|getUser|\w+Webhooks?|rotateWebhookSecret)$/
const PAID = /^(checkCode|checkKey|createTransfer|\w+QrCodes?)$/

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

async function endOthers({ access_token }: Json, _: Call, { run }: TestSandbox): Promise<void> {
  const sql = `DELETE FROM tokens WHERE customer_id IS NULL AND hash <> ?
    AND partner_id = (SELECT partner_id FROM tokens WHERE hash = ?)`
  await run(sql, [hashOf(access_token), hashOf(access_token)])
}

function partnerOf({ partner_id }: { partner_id: string }): keyof typeof USERS {
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
  const found = await rows(
    sandbox,
    `SELECT 1 FROM ${KEPT[name]}`,
    ...(name === 'id' ? [id, operation] : [id]),
  )
  return found.length > 0 ? problem(403, 'forbidden') : response
}

/** The Authorization headers of the customers of the calling partner. */
async function customersOf(call: Call, sandbox: TestSandbox): Promise<string[]> {
  const caller = await callerIn(call, sandbox)
  if (caller?.customer_id !== null) return []
  const who = partnerOf(caller)
  const sent = { authorization: await sandbox.bearer(who), body: USERS[who] }
  return [`Bearer ${(await sandbox.send('POST', '/auth/partner/impersonate/', sent)).access_token}`]
}
