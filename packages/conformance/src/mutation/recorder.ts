import type { Contract } from '../model/contract.ts'
import { type HttpRequest, type HttpResponse, jsonIn } from '../model/http.ts'
import type { Transport } from '../transport/transport.ts'
import type { MechanicalFault } from './fault.ts'
import { operationOf } from './mutating-transport.ts'
import { isBrokenOnlyBy, type ReadRequest, readRequest } from './repair.ts'

/** Records the traffic of a run without a fault, with the rules that caused it. */
export interface Recorder {
  readonly transport: Transport
  /** Attributes the traffic since the last call to a rule. */
  finish(rule: string): void
  /** Rules in whose traffic a fault shows, those with the fewest requests first. */
  rulesReaching(fault: MechanicalFault): string[]
  /** Whether an operation returned a status. */
  hasStatus(operation: string, status: string): boolean
  /** The valid bodies sent to an operation. */
  bodiesOf(operation: string): readonly unknown[]
}

interface Recorded<Item> {
  readonly item: Item
  readonly rules: Set<string>
}

/** Messages kept per key. Messages of the same shape are kept once. */
const MAX_KEPT = 80

export function createRecorder(contract: Contract, transport: Transport): Recorder {
  const replies = new Map<string, Map<string, Recorded<HttpResponse>>>()
  const failed = new Map<string, Map<string, Recorded<ReadRequest>>>()
  const bodies = new Map<string, Map<string, unknown>>()
  const counts = new Map<string, number>()
  let pending: Set<string>[] = []
  let count = 0

  function see(request: HttpRequest, response: HttpResponse): void {
    count++
    const operation = operationOf(contract, request, response)
    if (operation === undefined) return
    record(pending, replies, `${operation} ${response.status}`, shapeOf(response), response)
    const read = readRequest(contract, request)
    if (!read) return
    if (read.findings.length > 0) record(pending, failed, operation, findingsOf(read), read)
    else if (read.body !== undefined) keep(bodies, operation, shapeOfValue(read.body), read.body)
  }

  return {
    transport: {
      async send(request, signal) {
        const response = await transport.send(request, signal)
        see(request, response)
        return response
      },
      close: () => transport.close(),
    },
    finish(rule) {
      for (const rules of pending) rules.add(rule)
      counts.set(rule, count)
      pending = []
      count = 0
    },
    rulesReaching({ operation, plant }) {
      const rules =
        'change' in plant
          ? rulesWhere(replies.get(`${operation} ${plant.status}`), (it) => plant.change(it) !== undefined)
          : rulesWhere(failed.get(operation), (it) => isBrokenOnlyBy(it, plant))
      return rules.sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))
    },
    hasStatus: (operation, status) => replies.has(`${operation} ${status}`),
    bodiesOf: (operation) => [...(bodies.get(operation)?.values() ?? [])],
  }
}

function record<Item>(
  pending: Set<string>[],
  all: Map<string, Map<string, Recorded<Item>>>,
  key: string,
  shape: string,
  item: Item,
): void {
  const recorded = keep(all, key, shape, { item, rules: new Set<string>() })
  if (recorded) pending.push(recorded.rules)
}

function keep<Item>(
  all: Map<string, Map<string, Item>>,
  key: string,
  shape: string,
  item: Item,
): Item | undefined {
  const known = all.get(key) ?? new Map<string, Item>()
  all.set(key, known)
  const same = known.get(shape)
  if (same !== undefined || known.size >= MAX_KEPT) return same
  known.set(shape, item)
  return item
}

function rulesWhere<Item>(
  recorded: ReadonlyMap<string, Recorded<Item>> | undefined,
  isIt: (item: Item) => boolean,
): string[] {
  const found = [...(recorded?.values() ?? [])].filter(({ item }) => isIt(item))
  return [...new Set(found.flatMap(({ rules }) => [...rules]))]
}

function findingsOf({ findings }: ReadRequest): string {
  return findings.map(({ place, pointer, contract }) => `${place} ${pointer} ${contract}`).join('\n')
}

/** Responses have the same shape if their headers, fields and types are the same. */
function shapeOf({ headers, text }: HttpResponse): string {
  return `${Object.keys(headers).sort().join(' ')} ${text === '' ? '' : shapeOfText(text)}`
}

function shapeOfText(text: string): string {
  const value = jsonIn(text)
  return value === undefined ? 'text' : shapeOfValue(value)
}

function shapeOfValue(value: unknown): string {
  if (value === null) return '0'
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOfValue))].sort().join()}]`
  if (typeof value !== 'object') return (typeof value).charAt(0)
  return `{${Object.entries(value)
    .map(([name, it]) => `${name}:${shapeOfValue(it)}`)
    .join()}}`
}
