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

type Json = Record<string, unknown>

/** A request example of the contract, by name. Without a body if the operation has none. */
export interface Example {
  readonly id: OperationId
  readonly name: string
  readonly body: Json | undefined
}

const requests = new Map(Object.entries(fixtures).map(([id, it]) => [id, 'request' in it ? it.request : {}]))

/** The operations of the contract, each with at least one request example. */
export const examples: readonly Example[] = operations.flatMap(({ id }): Example[] => {
  const bodies = Object.entries<Json>(requests.get(id) ?? {})
  if (bodies.length === 0) return [{ id, name: '', body: undefined }]
  return bodies.map(([name, body]) => ({ id, name, body }))
})

/** The parts of a request that differ from the example. */
export interface Asked {
  readonly body?: Json | undefined
  readonly path?: Readonly<Record<string, string>>
}

/** Sends the request of an operation, with unknown ids unless others are given. */
export type Send = (id: OperationId, asked?: Asked) => Promise<ParsedResponse>

export function senderOf(ask: Ask): Send {
  return (id, { body, path: values = {} } = {}) => {
    const { method, path } = operations.find((it) => it.id === id) as Operation
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? crypto.randomUUID())
    const authorization = id === 'signIn' && { authorization: basic('partner', 'secret') }
    return ask(method, filled.replace(PREFIX, ''), { body, ...authorization })
  }
}

/** Creates what an example needs: existing records, of the owner of a key, and one-time values. */
export async function prepare(send: Send, { id, body }: Example, key = '12ABC34501DE35'): Promise<Asked> {
  const path = await PATHS[id]?.(send, key)
  return { body: body && (await unused(send, body)), ...(path && { path }) }
}

/** A body with one-time values that are unused. */
export async function unused(send: Send, body: Json): Promise<Json> {
  if ('tx_id' in body) return { ...body, tx_id: newTxId() }
  if (!('initiation_id' in body)) return body
  const { initiation_id } = (await send('checkKey', { body: { dict_key: body.dict_key } })).body
  return { ...body, initiation_id }
}

const ofWebhook = async (send: Send) => {
  const body = { type: 'all', url: 'https://partner.example.com/pix/events' }
  return { webhook_id: (await send('createWebhook', { body })).body.id }
}

const PATHS: Partial<Record<OperationId, (send: Send, key: string) => Promise<Record<string, string>>>> = {
  cancelDueDateQrCode: (send, key) => ofQrCode(send, 'createDueDateQrCode', key),
  cancelImmediateQrCode: (send, key) => ofQrCode(send, 'createImmediateQrCode', key),
  getUser: async (send) => ({ user_id: (await send('listUsers')).body.users[0].id }),
  getWebhook: ofWebhook,
  updateWebhook: ofWebhook,
  deleteWebhook: ofWebhook,
  rotateWebhookSecret: ofWebhook,
}

async function ofQrCode(send: Send, id: 'createDueDateQrCode' | 'createImmediateQrCode', dict_key: string) {
  const calendar = id === 'createDueDateQrCode' ? { due_date: '2027-01-15' } : {}
  const body = { dict_key, tx_id: newTxId(), amount: { original: '10.00' }, calendar }
  return { id: (await send(id, { body })).body.id }
}

/** On the day of the examples, their dates are not past. */
export const NOW = Date.parse('2026-11-02T14:30:00Z')

/** Starts a sandbox on the day of the examples. Transfers settle at once. */
export function startForExamples(options: AppOptions = {}): Promise<Started> {
  const begin = performance.now()
  const now = () => Math.round(NOW + performance.now() - begin)
  return start({ now, settleAfterMs: 0, limitsRates: false, ...options })
}
