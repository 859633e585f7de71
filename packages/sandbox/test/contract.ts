import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { valueAt } from '@partner-payments/text'
import type { AppOptions } from '../src/app.ts'
import type { OperationId } from '../src/contract.ts'
import { type Ask, basic, newTxId, type ParsedResponse, PREFIX } from './callers.ts'
import { type Started, start } from './started.ts'

export type Node = { readonly [name: string]: unknown }

/** An operation of the contract or the guide, with its request schema. */
export interface Described {
  readonly id: string
  readonly method: string
  /** Parameters are in braces. */
  readonly path: string
  readonly parameters: readonly Node[]
  /** The schema of the body; undefined if there is none. */
  readonly schema: Node | undefined
  /** By their names. */
  readonly examples: Readonly<Record<string, unknown>>
  readonly document: object
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** The operations of both contracts. */
export const described: readonly Described[] = [...operationsOf(contract), ...operationsOf(guide)]

function operationsOf(document: object): Described[] {
  const { paths } = document as { paths: Record<string, Node> }
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => describe(document, path, item, method)),
  )
}

function describe(document: object, path: string, item: Node, method: string): Described {
  const operation = item[method] as Node
  const lists = [item.parameters, operation.parameters].flatMap((list) => (list ?? []) as Node[])
  const json = membersOf(operation, ['requestBody', 'content', 'application/json'])
  const examples = Object.entries((json?.examples ?? {}) as Record<string, Node>)
  return {
    id: String(operation.operationId),
    method: method.toUpperCase(),
    path,
    parameters: lists.map((it) => resolved(document, it)),
    schema: json?.schema as Node | undefined,
    examples: Object.fromEntries(examples.map(([name, it]) => [name, resolved(document, it).value])),
    document,
  }
}

function membersOf(node: Node, names: readonly string[]): Node | undefined {
  return names.reduce<Node | undefined>((at, name) => at?.[name] as Node | undefined, node)
}

/** Resolves the reference of a schema, a parameter or an example. */
export function resolved(document: object, node: Node): Node {
  const { $ref, ...own } = node
  if (typeof $ref !== 'string') return node
  return { ...resolved(document, valueAt(document, $ref) as Node), ...own }
}

type Json = Record<string, unknown>

/** A request example of the contract, by name. Without a body if the operation has none. */
export interface Example {
  readonly id: OperationId
  readonly name: string
  readonly body: Json | undefined
}

/** The operations of the contract, each with at least one request example. */
export const examples: readonly Example[] = described
  .filter(({ id }) => !id.startsWith('guide'))
  .flatMap(({ id: name, examples }): Example[] => {
    const id = name as OperationId // every operationId of the contract is an OperationId
    const named = Object.entries(examples).map(([name, body]) => ({ id, name, body: body as Json }))
    return named.length > 0 ? named : [{ id, name: '', body: undefined }]
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
    const { method, path } = described.find((it) => it.id === id) as Described
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
