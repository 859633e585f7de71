import * as fixtures from '@partner-payments/client/fixtures'
import { createValidator } from '@partner-payments/validator'
import type { AppOptions } from '../src/app.ts'
import type { OperationId } from '../src/contract.ts'
import { type Ask, basic, newTxId, type ParsedResponse, PREFIX } from './callers.ts'
import { type Started, start } from './started.ts'

interface Operation {
  readonly id: OperationId
  readonly method: string
  /** Parameters are in braces. */
  readonly path: string
}

/** The operations of the contract, each of which has an id. */
export const operations = createValidator().operations as readonly Operation[]

export function operationOf(id: OperationId): Operation {
  return operations.find((it) => it.id === id) as Operation
}

type Json = Record<string, unknown>

/** A request example of the contract, by name. Without a body if the operation has none. */
export interface Example {
  readonly id: OperationId
  readonly name: string
  readonly body: Json | undefined
}

const requests = new Map(
  Object.entries(fixtures).map(([id, it]) => [id, 'request' in it ? it.request : {}]),
)

/** The operations of the contract, each with at least one request example. */
export const examples: readonly Example[] = operations.flatMap(({ id }): Example[] => {
  const bodies = Object.entries<Json>(requests.get(id) ?? {})
  if (bodies.length === 0) return [{ id, name: '', body: undefined }]

  return bodies.map(([name, body]) => ({ id, name, body }))
})

/** The parts of a request that differ from the example. */
export interface Asked {
  readonly body?: Json | undefined
  readonly path?: Readonly<Record<string, string>> | undefined
}

/** Sends the request of an operation, with unknown ids unless others are given. */
export type Send = (id: OperationId, asked?: Asked) => Promise<ParsedResponse>

export function senderOf(ask: Ask): Send {
  return (id, { body, path: values = {} } = {}) => {
    const { method, path } = operationOf(id)
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? crypto.randomUUID())
    const authorization = id === 'signIn' && { authorization: basic('partner', 'secret') }
    return ask(method, filled.replace(PREFIX, ''), { body, ...authorization })
  }
}

/** Creates what an example needs: existing records, of the owner of a key, and one-time values. */
export async function prepare(
  send: Send,
  { id, body }: Example,
  key = '12ABC34501DE35',
): Promise<Asked> {
  return { body: body && (await unused(send, body)), path: await pathOf(send, id, key) }
}

/** A body with one-time values that are unused. */
async function unused(send: Send, body: Json): Promise<Json> {
  if ('tx_id' in body) return { ...body, tx_id: newTxId() }
  if (!('initiation_id' in body)) return body

  const { initiation_id } = (await send('checkKey', { body: { dict_key: body.dict_key } })).body
  return { ...body, initiation_id }
}

async function pathOf(send: Send, id: OperationId, dict_key: string): Promise<Asked['path']> {
  if (id === 'getUser') return { user_id: (await send('listUsers')).body.users[0].id }
  if (id === 'cancelDueDateQrCode' || id === 'cancelImmediateQrCode') {
    const calendar = { due_date: '2027-01-15' }
    const body = { dict_key, tx_id: newTxId(), amount: { original: '10.00' }, calendar }
    const kind = id === 'cancelDueDateQrCode' ? 'createDueDateQrCode' : 'createImmediateQrCode'
    return { id: (await send(kind, { body })).body.id }
  }
  if (!operationOf(id).path.includes('{webhook_id}')) return {}

  const body = { type: 'all', url: 'https://partner.example.com/pix/events' }
  return { webhook_id: (await send('createWebhook', { body })).body.id }
}

/** On the day of the examples, their dates are not past. */
export const NOW = Date.parse('2026-11-02T14:30:00Z')

/** Starts a sandbox on the day of the examples. Transfers settle at once. */
export function startForExamples(options: AppOptions = {}): Promise<Started> {
  const begin = performance.now()
  const now = () => Math.round(NOW + performance.now() - begin)
  return start({ now, settleAfterMs: 0, limitsRates: false, ...options })
}
