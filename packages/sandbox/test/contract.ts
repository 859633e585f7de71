import { createValidator, type Operation } from '@partner-payments/validator'
import type { OperationId } from '../src/contract.ts'
import { type RunningSandbox, type ServeOptions, serve } from '../src/index.ts'
import { newTxId } from './callers.ts'
import { described } from './hostile/operations.ts'

export type Json = Record<string, unknown>

/** A request example, by name. Without a body if the operation has none. */
export interface Example {
  readonly operation: Operation
  readonly id: OperationId
  readonly name: string
  readonly body: Json | undefined
}

/** The parts of a request that differ from the example. */
export interface Asked {
  readonly body?: Json | undefined
  readonly path?: Readonly<Record<string, string>>
  readonly authorization?: string
}

/** Sends requests to a service, as the signed-in partner. */
export type Send = (id: OperationId, asked?: Asked) => Promise<Response>

const validator = createValidator()

/** The operations of the contract, each with at least one request example. */
export const examples: readonly Example[] = described
  .filter(({ id }) => !id.startsWith('guide'))
  .flatMap(({ id: name, examples }): Example[] => {
    const id = name as OperationId // every operationId of the contract is an OperationId
    const operation = operationOf(id)
    if (Object.keys(examples).length === 0) return [{ operation, id, name: '', body: undefined }]
    return Object.entries(examples).map(([name, body]) => ({ operation, id, name, body: body as Json }))
  })

/** Where a response deviates from the contract, including unknown fields. */
export async function departures(id: OperationId, response: Response): Promise<string[]> {
  const { status, headers } = response
  const text = await response.clone().text()
  const body = text === '' ? undefined : JSON.parse(text)
  return validator
    .validateResponse(operationOf(id), { status, headers, body }, { unknown: true })
    .map(({ place, pointer, message }) => `${place}${pointer} ${message}`)
}

/** Signs in to a service. */
export async function signIn(url: string): Promise<Send> {
  const basic = `Basic ${btoa('partner:secret')}`
  const send = (id: OperationId, { body, path = {}, authorization }: Asked, usual: string) =>
    fetch(`${url}${fill(operationOf(id).path, path)}`, {
      method: operationOf(id).method,
      headers: {
        authorization: authorization ?? usual,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  const { access_token } = await json(await send('signIn', {}, basic))
  return (id, asked = {}) => send(id, asked, id === 'signIn' ? basic : `Bearer ${access_token}`)
}

/** The body of a response, which must be an object. */
export async function json(response: Response): Promise<Json> {
  return (await response.json()) as Json
}

function operationOf(id: OperationId): Operation {
  const found = validator.operations.find((operation) => operation.id === id)
  if (!found) throw new Error(`no operation ${id}`)
  return found
}

function fill(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? crypto.randomUUID())
}

/** Creates what an example needs: existing records and one-time values. */
export async function prepare(send: Send, { id, body }: Example): Promise<Asked> {
  return { body, ...(await PREPARATIONS[id]?.(send, body ?? {})) }
}

type Preparation = (send: Send, body: Record<string, unknown>) => Promise<Asked>

const unusedTxId: Preparation = async (_, body) => ({ body: { ...body, tx_id: newTxId() } })
const ofWebhook: Preparation = async (send) => ({ path: { webhook_id: await newWebhook(send) } })

const PREPARATIONS: Partial<Record<OperationId, Preparation>> = {
  createTransfer: lookUp,
  createDueDateQrCode: unusedTxId,
  createImmediateQrCode: unusedTxId,
  cancelDueDateQrCode: async (send) => ({ path: { id: await newQrCode(send, 'createDueDateQrCode') } }),
  cancelImmediateQrCode: async (send) => ({ path: { id: await newQrCode(send, 'createImmediateQrCode') } }),
  getUser: async (send) => ({ path: { user_id: await firstUser(send) } }),
  getWebhook: ofWebhook,
  updateWebhook: ofWebhook,
  deleteWebhook: ofWebhook,
  rotateWebhookSecret: ofWebhook,
}

/** Adds a fresh initiation id to a transfer to a key. */
async function lookUp(send: Send, body: Record<string, unknown>): Promise<Asked> {
  if (body.type !== 'dict') return {}
  const { initiation_id } = await json(await send('checkKey', { body: { dict_key: body.dict_key } }))
  return { body: { ...body, initiation_id } }
}

async function newQrCode(send: Send, id: 'createDueDateQrCode' | 'createImmediateQrCode'): Promise<string> {
  const calendar = id === 'createDueDateQrCode' ? { due_date: '2027-01-15' } : {}
  const body = { dict_key: '12ABC34501DE35', tx_id: newTxId(), amount: { original: '10.00' }, calendar }
  return String((await json(await send(id, { body }))).id)
}

async function newWebhook(send: Send): Promise<string> {
  const body = { type: 'all', url: 'https://partner.example.com/pix/events' }
  return String((await json(await send('createWebhook', { body }))).id)
}

async function firstUser(send: Send): Promise<string> {
  const { users } = (await json(await send('listUsers'))) as { users?: { id: string }[] }
  return users?.[0]?.id ?? ''
}

/** The day on which the contract's examples take place. */
const EXAMPLES_DAY = Date.parse('2026-11-02T14:30:00Z')

/**
 * Starts a sandbox in memory on a free port. Its clock starts on the day of the examples, so their dates are not past,
 * and transfers settle at once.
 */
export function start(options: ServeOptions = {}): Promise<RunningSandbox> {
  const begin = performance.now()
  const now = () => Math.round(EXAMPLES_DAY + performance.now() - begin)
  return serve({ port: 0, now, settleAfterMs: 0, limitsRates: false, ...options })
}
