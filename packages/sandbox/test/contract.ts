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
  return operations.find((operation) => operation.id === id) as Operation
}

type Json = Record<string, unknown>

/** A request example of the contract, by name. Without a body if the operation has none. */
export interface Example {
  readonly id: OperationId
  readonly name: string
  readonly body: Json | undefined
}

/** The request examples of each operation, by its id. */
const requests = new Map<string, object>()
for (const [id, fixture] of Object.entries(fixtures))
  requests.set(id, 'request' in fixture ? fixture.request : {})

/** The operations of the contract, each with at least one request example. */
export const examples: readonly Example[] = operations.flatMap(({ id }): Example[] => {
  const bodies = Object.entries(requests.get(id) ?? {}) as [name: string, body: Json][]
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
    const below = filled.replace(PREFIX, '')
    if (id !== 'signIn') return ask(method, below, { body })

    return ask(method, below, { body, authorization: basic('partner', 'secret') })
  }
}

/** Creates what an example needs: existing records, of the owner of a key, and one-time values. */
export async function prepare(
  send: Send,
  { id, body }: Example,
  key = '12ABC34501DE35',
): Promise<Asked> {
  const unusedBody = body ? await withUnusedValues(send, body) : undefined
  return { body: unusedBody, path: await pathOf(send, id, key) }
}

/** A body with one-time values that are unused. */
async function withUnusedValues(send: Send, body: Json): Promise<Json> {
  if ('tx_id' in body) return { ...body, tx_id: newTxId() }
  if (!('initiation_id' in body)) return body

  const check = await send('checkKey', { body: { dict_key: body.dict_key } })
  return { ...body, initiation_id: check.body.initiation_id }
}

async function pathOf(send: Send, id: OperationId, dict_key: string): Promise<Asked['path']> {
  if (id === 'getUser') {
    const list = await send('listUsers')
    return { user_id: list.body.users[0].id }
  }

  if (id === 'cancelDueDateQrCode') {
    const created = await send('createDueDateQrCode', { body: chargeOf(dict_key) })
    return { id: created.body.id }
  }

  if (id === 'cancelImmediateQrCode') {
    const created = await send('createImmediateQrCode', { body: chargeOf(dict_key) })
    return { id: created.body.id }
  }

  if (operationOf(id).path.includes('{webhook_id}')) {
    const body = { type: 'all', url: 'https://partner.example.com/pix/events' }
    const created = await send('createWebhook', { body })
    return { webhook_id: created.body.id }
  }

  return {}
}

/** The body of a new charge of either kind. */
function chargeOf(dict_key: string): Json {
  return {
    dict_key,
    tx_id: newTxId(),
    amount: { original: '10.00' },
    calendar: { due_date: '2027-01-15' },
    payer: { name: 'Fulano de Tal', tax_id: '12345678909' },
  }
}

/** On the day of the examples, their dates are not past. */
export const NOW = Date.parse('2026-11-02T14:30:00Z')

/** Starts a sandbox on the day of the examples. Transfers settle at once. */
export function startForExamples(options: AppOptions = {}): Promise<Started> {
  const startedAt = performance.now()
  const now = () => Math.round(NOW + performance.now() - startedAt)
  return start({ now, settleAfterMs: 0, limitsRates: false, ...options })
}
