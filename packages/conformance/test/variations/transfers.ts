import { createHash } from 'node:crypto'
import { type Call, withBody } from '../services/call.ts'
import type { Json } from '../services/json.ts'
import { bodyOf, problem, withJson } from '../services/responses.ts'
import type { TestSandbox } from '../services/sandbox.ts'
import { callerOf } from '../services/state.ts'
import type { Next, Wrap } from '../services/wrap.ts'
import { asked, codeOf, field, fields, following, keeps, refusing, responding, shown, words } from './kit.ts'
import { dayAt } from './requests.ts'
import type { Services } from './service.ts'

const TRANSFERS = /^createTransfer$|^transfer\./
const CREATE = /^createTransfer$/
const MINUTE = 60_000
const HOUSE = { account_type: 'CACC', ispb: '99999010', name: 'Loja Exemplo Ltda', tax_id: '12ABC34501DE35' }

export const transfers: Services = {
  'envelope-id': responding(CREATE, (it) => ({ ...it, id: uuidOf(it.id) })),
  'initiation-words': words(/^initiation_type$/, TRANSFERS, { DICT: 'KEY', QRES: 'STATIC', QRDN: 'DYNAMIC' }),
  'end-to-end-uuid': field({ name: /^end_to_end_id$/, show: uuidOf }),
  'tx-id-stars': field({ name: /^tx_id$/, scope: TRANSFERS, show: (value) => value || '***' }),
  'payer-is-partner': shown(
    TRANSFERS,
    // The account of Fulano, a customer of the partner.
    fields((name, it, { account_id }) =>
      name === 'payer' && `${account_id}`.startsWith('a4c26fae') ? HOUSE : it,
    ),
  ),
  'initiation-5-minutes': { wrap: initiations({ lifetimeMs: 5 * MINUTE }) },
  'initiation-again': { wrap: initiations({ again: true }) },
  'beneficiary-required': refusing(CREATE, [400, 'invalid_request'], ({ beneficiary }) => !beneficiary),
  'transfer-type-any': {
    wrap: asked(CREATE, (it) =>
      typeof it.type === 'string' ? { ...it, type: 'emv' in it ? 'emv' : 'dict' } : it,
    ),
  },
  'transfer-scheduled': { options: { settleAfterMs: 300 }, wrap: scheduled },
  'overdraft-rejected': { wrap: overdrawn },
}

/** The same UUID for the same text. */
function uuidOf(text: unknown): string {
  const hex = createHash('sha256').update(String(text)).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
}

interface Initiations {
  readonly lifetimeMs?: number
  readonly anyCaller?: boolean
  readonly again?: boolean
}

/** When an initiation_id is accepted. If that is more than the sandbox allows, a new one replaces it. */
function initiations({ lifetimeMs = 30 * MINUTE, anyCaller = false, again = false }: Initiations): Wrap {
  const issued = new Map<unknown, { account: unknown; key: unknown; at: number }>()
  return (sandbox) => async (call, next) => {
    const account = (await callerOf(call, sandbox))?.account_id
    const at = sandbox.app.clock.now()
    const known = CREATE.test(String(call.operation)) ? issued.get(call.json?.initiation_id) : undefined
    if (known && account && keeps(call) && known.at + lifetimeMs < at)
      return problem(422, 'initiation_invalid')
    const response = await next(call)
    const body = response.ok && call.operation === 'checkKey' ? await bodyOf(response) : undefined
    if (body) issued.set(body.initiation_id, { account, key: body.dict_key, at })
    const code = await codeOf(response)
    const isGood = known?.key === call.json?.dict_key && (anyCaller || known?.account === account)
    const isAnew = isGood && (code === 'initiation_invalid' || (code === 'initiation_used' && again))
    return known && isAnew ? next(await withNew(call, next)) : response
  }
}

async function withNew(call: Call, next: Next): Promise<Call> {
  const looked = await next(following(call, 'POST', '/pix/dict/check/', { dict_key: call.json?.dict_key }))
  return withBody(call, { ...call.json, initiation_id: (await bodyOf(looked))?.initiation_id })
}

/** Accepts a later payment_date, on which the transfer settles. */
function scheduled(sandbox: TestSandbox): ReturnType<Wrap> {
  return async (call, next) => {
    const { payment_date: day, ...rest } = call.json ?? {}
    const isLater = String(day) > dayAt(sandbox.app.clock.now())
    if (!CREATE.test(String(call.operation)) || !keeps(call) || !day || !isLater) return next(call)
    const response = await next(withBody(call, rest))
    const body = response.ok ? await bodyOf(response) : undefined
    if (!body) return response
    await sandbox.run('UPDATE transfers SET due_at = ? WHERE id = ?', [
      Date.parse(`${day}T15:00:00Z`),
      String(body.id),
    ])
    return withJson(response, {
      ...body,
      status: 'scheduled',
      data: { ...(body.data as Json), status: 'scheduled' },
    })
  }
}

/** Lends the account enough money, and rejects the transfer when it settles. */
function overdrawn(sandbox: TestSandbox): ReturnType<Wrap> {
  return async (call, next) => {
    const first = await next(call)
    const isShort = (await codeOf(first)) === 'insufficient_funds'
    const response = isShort ? await lend(call, sandbox).then(() => next(call)) : first
    const isLarge = CREATE.test(String(call.operation)) && Number(call.json?.amount) > 1_000_000
    const body = isLarge && response.ok ? await bodyOf(response) : undefined
    if (body) await sandbox.run(`UPDATE transfers SET outcome = 'AM02' WHERE id = ?`, [String(body.id)])
    return response
  }
}

async function lend(call: Call, sandbox: TestSandbox): Promise<void> {
  const { account_id = '' } = (await callerOf(call, sandbox)) ?? {}
  const url = new URL(`/_sandbox/accounts/${account_id}/deposit`, call.url)
  const headers = { 'content-type': 'application/json' }
  await sandbox.app.fetch(new Request(url, { method: 'POST', headers, body: '{"amount":"9999999999.99"}' }))
}
