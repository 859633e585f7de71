import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, withBody } from '../faulty/call.ts'
import type { Json } from '../faulty/json.ts'
import { bodyOf, problem, withJson } from '../faulty/responses.ts'
import type { TestSandbox } from '../faulty/sandbox.ts'
import { changeResponse, type Next, type Wrap } from '../faulty/wrap.ts'
import {
  asked,
  callerIn,
  codeOf,
  field,
  fields,
  following,
  keeps,
  refusing,
  responding,
  rows,
  shown,
  success,
  words,
} from './kit.ts'
import { dayAt } from './requests.ts'
import type { Service, Services } from './service.ts'

const TRANSFERS = /^createTransfer$|^transfer\./
const CREATE = /^createTransfer$/
const MINUTE = 60_000
const HOUSE = { account_type: 'CACC', ispb: '99999010', name: 'Loja Exemplo Ltda', tax_id: '12ABC34501DE35' }

export const transfers: Services = {
  'transfer-words': words(/^status$/, TRANSFERS, {
    pending: 'PROCESSING',
    settled: 'COMPLETED',
    rejected: 'FAILED',
  }),
  'settles-at-once': { options: { settleAfterMs: 0 }, wrap: changeResponse('createTransfer', settledAtOnce) },
  'settles-slowly': { options: { settleAfterMs: 20_000 } },
  'envelope-id': responding(CREATE, (it) => ({ ...it, id: uuidOf(it.id) })),
  'envelope-status': responding(CREATE, (it) => ({ ...it, status: 'received' })),
  'initiation-words': words(/^initiation_type$/, TRANSFERS, { DICT: 'KEY', QRES: 'STATIC', QRDN: 'DYNAMIC' }),
  'end-to-end-uuid': field({ name: /^end_to_end_id$/, show: uuidOf }),
  'tx-id-stars': field({ name: /^tx_id$/, scope: TRANSFERS, show: (value) => value || '***' }),
  'tx-id-own': field({ name: /^tx_id$/, scope: TRANSFERS, show: (_, { id }) => id }),
  'payer-is-partner': shown(
    TRANSFERS,
    // The account of Fulano, a customer of the partner.
    fields((name, it, { account_id }) =>
      name === 'payer' && `${account_id}`.startsWith('a4c26fae') ? HOUSE : it,
    ),
  ),
  'initiation-5-minutes': { wrap: initiations({ lifetimeMs: 5 * MINUTE }) },
  'initiation-day': { wrap: initiations({ lifetimeMs: 1440 * MINUTE }) },
  'initiation-any-caller': { wrap: initiations({ anyCaller: true }) },
  'initiation-again': { wrap: initiations({ again: true }) },
  'transfer-idempotent': { wrap: idempotent },
  'duplicates-refused': { wrap: duplicates },
  'beneficiary-ignored': ignoring('beneficiary'),
  'beneficiary-required': refusing(CREATE, [400, 'invalid_request'], ({ beneficiary }) => !beneficiary),
  'payment-date-ignored': ignoring('payment_date'),
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

/** Removes an otherwise valid field. */
function ignoring(name: string): Service {
  return {
    wrap: asked(CREATE, (body, call) =>
      name in body && keeps(call)
        ? Object.fromEntries(Object.entries(body).filter(([it]) => it !== name))
        : body,
    ),
  }
}

async function settledAtOnce(response: Response, _: Call, sandbox: TestSandbox): Promise<Response> {
  const body = response.ok ? await bodyOf(response) : undefined
  for (let tries = 0; body && tries < 200; tries++) {
    const [event] = await rows(sandbox, 'SELECT body FROM events WHERE record_id = ?', String(body.id))
    const data: Json | undefined = event && JSON.parse(String(event.body)).data
    if (data) return withJson(response, { id: body.id, status: data.status, data })
    await sleep(5)
  }
  return response
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
    const account = (await callerIn(call, sandbox))?.account_id
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

function idempotent(sandbox: TestSandbox): ReturnType<Wrap> {
  const made = new Map<string, Json>()
  return async (call, next) => {
    const response = await next(call)
    if (!CREATE.test(String(call.operation))) return response
    const key = JSON.stringify([(await callerIn(call, sandbox))?.account_id, call.json])
    const body = response.ok ? await bodyOf(response) : undefined
    if (body) made.set(key, body)
    const first = response.status === 409 ? made.get(key) : undefined
    return first ? success(response, first, 201) : response
  }
}

function duplicates(sandbox: TestSandbox): ReturnType<Wrap> {
  const paid = new Map<string, number>()
  return async (call, next) => {
    if (!CREATE.test(String(call.operation)) || !keeps(call)) return next(call)
    const { amount, emv, dict_key } = call.json ?? {}
    const key = JSON.stringify([(await callerIn(call, sandbox))?.account_id, amount, emv, dict_key])
    const now = sandbox.app.clock.now()
    if (now - (paid.get(key) ?? 0) < MINUTE) return problem(409, 'duplicate_transfer')
    const response = await next(call)
    if (response.ok) paid.set(key, now)
    return response
  }
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
  const { account_id = '' } = (await callerIn(call, sandbox)) ?? {}
  const url = new URL(`/_sandbox/accounts/${account_id}/deposit`, call.url)
  const headers = { 'content-type': 'application/json' }
  await sandbox.app.fetch(new Request(url, { method: 'POST', headers, body: '{"amount":"9999999999.99"}' }))
}
