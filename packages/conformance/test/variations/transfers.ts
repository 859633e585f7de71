import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, withBody } from '../faulty/call.ts'
import type { Json } from '../faulty/json.ts'
import { bodyOf, problem, withJson } from '../faulty/reply.ts'
import type { World } from '../faulty/world.ts'
import { type Next, reply, type Wrap } from '../faulty/wrap.ts'
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
  'settles-at-once': { options: { settleAfterMs: 0 }, wrap: reply('createTransfer', settledAtOnce) },
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

/** The same identifier for the same text. */
function uuidOf(text: unknown): string {
  const hex = createHash('sha256').update(String(text)).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
}

/** Leaves out a field that does not break the contract. */
function ignoring(name: string): Service {
  return {
    wrap: asked(CREATE, (body, call) =>
      name in body && keeps(call)
        ? Object.fromEntries(Object.entries(body).filter(([it]) => it !== name))
        : body,
    ),
  }
}

async function settledAtOnce(response: Response, _: Call, world: World): Promise<Response> {
  const body = response.ok ? await bodyOf(response) : undefined
  for (let tries = 0; body && tries < 200; tries++) {
    const [event] = await rows(world, 'SELECT body FROM events WHERE record_id = ?', String(body.id))
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

/** What an initiation_id is good for. Where that is more than the sandbox allows, a new one takes its place. */
function initiations({ lifetimeMs = 30 * MINUTE, anyCaller = false, again = false }: Initiations): Wrap {
  const issued = new Map<unknown, { account: unknown; key: unknown; at: number }>()
  return (world) => async (call, next) => {
    const account = (await callerIn(call, world))?.account_id
    const at = world.app.clock.now()
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

function idempotent(world: World): ReturnType<Wrap> {
  const made = new Map<string, Json>()
  return async (call, next) => {
    const response = await next(call)
    if (!CREATE.test(String(call.operation))) return response
    const key = JSON.stringify([(await callerIn(call, world))?.account_id, call.json])
    const body = response.ok ? await bodyOf(response) : undefined
    if (body) made.set(key, body)
    const first = response.status === 409 ? made.get(key) : undefined
    return first ? success(response, first, 201) : response
  }
}

function duplicates(world: World): ReturnType<Wrap> {
  const paid = new Map<string, number>()
  return async (call, next) => {
    if (!CREATE.test(String(call.operation)) || !keeps(call)) return next(call)
    const { amount, emv, dict_key } = call.json ?? {}
    const key = JSON.stringify([(await callerIn(call, world))?.account_id, amount, emv, dict_key])
    const now = world.app.clock.now()
    if (now - (paid.get(key) ?? 0) < MINUTE) return problem(409, 'duplicate_transfer')
    const response = await next(call)
    if (response.ok) paid.set(key, now)
    return response
  }
}

/** Accepts a later day, on which the transfer settles. */
function scheduled(world: World): ReturnType<Wrap> {
  return async (call, next) => {
    const { payment_date: day, ...rest } = call.json ?? {}
    const isLater = String(day) > dayAt(world.app.clock.now())
    if (!CREATE.test(String(call.operation)) || !keeps(call) || !day || !isLater) return next(call)
    const response = await next(withBody(call, rest))
    const body = response.ok ? await bodyOf(response) : undefined
    if (!body) return response
    await world.run('UPDATE transfers SET due_at = ? WHERE id = ?', [
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

/** Lends the account enough, and has the transfer rejected when it settles. */
function overdrawn(world: World): ReturnType<Wrap> {
  return async (call, next) => {
    const first = await next(call)
    const isShort = (await codeOf(first)) === 'insufficient_funds'
    const response = isShort ? await lend(call, world).then(() => next(call)) : first
    const isLarge = CREATE.test(String(call.operation)) && Number(call.json?.amount) > 1_000_000
    const body = isLarge && response.ok ? await bodyOf(response) : undefined
    if (body) await world.run(`UPDATE transfers SET outcome = 'AM02' WHERE id = ?`, [String(body.id)])
    return response
  }
}

async function lend(call: Call, world: World): Promise<void> {
  const { account_id = '' } = (await callerIn(call, world)) ?? {}
  const url = new URL(`/_sandbox/accounts/${account_id}/deposit`, call.url)
  const headers = { 'content-type': 'application/json' }
  await world.app.fetch(new Request(url, { method: 'POST', headers, body: '{"amount":"9999999999.99"}' }))
}
