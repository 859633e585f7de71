import { type Operation, readContract, valueAt } from '@partner-payments/contract'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import behaviour from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import document from '@partner-payments/spec/openapi.json' with { type: 'json' }
import type { AppOptions } from '../src/app.ts'
import type { OperationId } from '../src/contract.ts'
import { type Ask, basic, newTxId, type ParsedResponse } from './callers.ts'
import { type Started, start } from './started.ts'

/** The operations of the contract. */
export const { operations } = readContract({ document, behaviour: behaviour as Behaviour })

export function findOperation(id: string): Operation {
  return operations.find((operation) => operation.id === id) as Operation
}

type Json = Record<string, unknown>

/** A request example of the contract, by name. Without a body if the operation has none. */
export interface Example {
  readonly id: OperationId
  readonly name: string
  readonly body: Json | undefined
}

/** The operations of the contract, each with at least one request example. */
export const examples: readonly Example[] = operations.flatMap(({ id, request }): Example[] => {
  // A missing handler of an operation does not compile, so each is an OperationId.
  const known = id as OperationId
  if (!request) return [{ id: known, name: '', body: undefined }]

  return request.examples.map(({ name, value }) => ({ id: known, name, body: value as Json }))
})

/** The parts of a request that differ from the example. */
export interface Asked {
  readonly body?: Json | undefined
  readonly path?: Readonly<Record<string, string>> | undefined
}

/** Sends the request of an operation, with unknown ids unless others are given. */
export type Send = (id: OperationId, asked?: Asked) => Promise<ParsedResponse>

export function createSender(ask: Ask): Send {
  return (id, { body, path: values = {} } = {}) => {
    const { method, path } = findOperation(id)
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? crypto.randomUUID())
    if (id !== 'signIn') return ask(method, filled, { body })

    return ask(method, filled, { body, authorization: basic('partner', 'secret') })
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

/** The ids of a path, from the operation that the contract names. */
async function pathOf(send: Send, id: OperationId, dict_key: string): Promise<Asked['path']> {
  const names = findOperation(id).parameters.filter((parameter) => parameter.in === 'path')
  const origin = findOperation(id).origins.find(({ values }) =>
    names.every(({ name }) => values.some((value) => value.name === name)),
  )
  if (names.length === 0 || !origin) return {}

  const from = origin.from as OperationId
  const body = await createBody(send, from, dict_key)
  const earlier = await send(from, { body, path: await pathOf(send, from, dict_key) })
  const ids = origin.values.map(({ name, pointer }) => [name, valueAt(earlier.body, pointer)])
  return Object.fromEntries(ids)
}

/** The body of a request that comes before another. */
async function createBody(
  send: Send,
  id: OperationId,
  dict_key: string,
): Promise<Json | undefined> {
  const example = findOperation(id).request?.examples[0]?.value as Json | undefined
  if (!example) return undefined
  if ('tx_id' in example) return createCharge(dict_key)
  return withUnusedValues(send, example)
}

/** The body of a new charge of either kind. */
function createCharge(dict_key: string): Json {
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
