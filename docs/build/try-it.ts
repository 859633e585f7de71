import type { Behaviour } from '@partner-payments/spec/behaviour'
import { type Contract, inline, type Node, type Operation, operationsOf } from './contract.ts'

/**
 * What the page of the sandbox shows after an operation that leads to events, by its id, and the
 * section of that page.
 */
const STEPS: Readonly<Record<string, { text: string; section: string }>> = {
  createTransfer: { text: 'See it settle', section: 'transfers' },
  createImmediateQrCode: { text: 'See the code, and pay it', section: 'qrcodes' },
  createDueDateQrCode: { text: 'See the code, and pay it', section: 'qrcodes' },
  createWebhook: { text: 'See what the webhook receives', section: 'webhooks' },
}

/**
 * A next operation, with the values that a link of the contract carries to it, as runtime
 * expressions by name.
 */
export interface Next {
  readonly id: string
  readonly carries?: Readonly<Record<string, string>>
}

/** An operation as the form "Try it" needs it. */
export type TryOperation = ReturnType<typeof tryOperations>[number]

/** An earlier operation, and by name the pointers of what its response gives to a later one. */
export interface Source {
  readonly id: string
  readonly values: Readonly<Record<string, string>>
}

/**
 * Lists what the form "Try it" needs of each operation. It cannot send the short paths, which are
 * other addresses of some operations.
 */
export function tryOperations(contract: Contract, behaviour: Behaviour) {
  const operations = operationsOf(inline(contract), behaviour)
  return operations.map((operation) => {
    const { id, summary, effect, path, method, parameters, request } = operation
    return {
      id,
      summary,
      effect,
      path,
      method,
      parameters: parameters.map(({ name, example }) => ({ name, example: String(example) })),
      // The lint holds examples to their schemas, which are objects.
      examples: (request?.examples ?? []).map((example) => ({
        name: example.name,
        summary: example.summary,
        body: example.value as Node,
      })),
      /** Fields whose value no other record may have. */
      unique: uniqueFields(operation, behaviour),
      /** The operation whose response has the id or the one-time value that this one needs. */
      source: findSource(operation, behaviour),
      /** Operations to try after this one. */
      next: listNext(operation, operations),
      /** The link to what the operation has caused in the sandbox, on the page of that. */
      step: STEPS[id],
    }
  })
}

function uniqueFields({ role, resource }: Operation, { resources = {} }: Behaviour): string[] {
  if (role !== 'create') return []
  const unique = resources[resource ?? '']?.unique ?? {}
  return Object.keys(unique).map((pointer) => pointer.slice(1))
}

/**
 * The operation to send before this one: its response has an id for the path of this one, or a value
 * that works once. `values` has the pointers into that response:
 * `{ id: 'checkKey', values: { initiation_id: '/initiation_id' } }`. Undefined if it needs neither.
 */
function findSource(operation: Operation, behaviour: Behaviour): Source | undefined {
  const idsOfGivers = listGivers(operation, behaviour)
  // `origins` are all operations whose requests or responses have values for this one.
  const origin = operation.origins.find(({ from, values }) => {
    const givesIdOfPath = values.some((value) => value.in === 'path')
    return givesIdOfPath || idsOfGivers.has(from)
  })
  if (!origin) return undefined

  const values: Record<string, string> = {}
  for (const { side, name, pointer } of origin.values)
    if (side === 'response') values[name] = pointer
  return { id: origin.from, values }
}

/**
 * The ids of the operations whose responses have a value that works once, for this one: `checkKey`
 * gives `createTransfer` the `initiation_id`.
 */
function listGivers({ id }: Operation, { oneTimeValues = {} }: Behaviour): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const { from, to } of Object.values(oneTimeValues)) {
    // A place is such as `createTransfer#/initiation_id`.
    const isTaken = to.startsWith(`${id}#`)
    if (isTaken) for (const place of from) ids.add(place.replace(/#.*/, ''))
  }
  return ids
}

/**
 * The operations to offer after this one, each once: those to which the contract links its response
 * (with the values that go there), the list of its resource, and one that leads to events.
 */
function listNext({ id, links, resource }: Operation, operations: readonly Operation[]): Next[] {
  const candidates: Next[] = links.map(({ to, values }) => ({ id: to, carries: values }))

  const list = operations.find((other) => other.role === 'list' && other.resource === resource)
  if (resource && list) candidates.push({ id: list.id })
  // An event needs both a transfer and a webhook.
  const leadsToEvents = STEPS[id] !== undefined
  if (leadsToEvents)
    candidates.push({ id: id === 'createWebhook' ? 'createTransfer' : 'createWebhook' })

  const nextById = new Map<string, Next>()
  for (const next of candidates) {
    // A link to the next page of a list leads nowhere on the last one.
    const isSameOperation = next.id === id
    if (!isSameOperation && !nextById.has(next.id)) nextById.set(next.id, next)
  }
  return [...nextById.values()]
}
