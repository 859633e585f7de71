import type { Contract } from '../model/contract.ts'
import type { Call, Reply, Wire } from '../transport/transport.ts'
import type { MechanicalFault } from './fault.ts'
import { operationOf } from './proving-wire.ts'
import { breaksOnly, type Read, readRequest } from './repair.ts'

/** What a run without any fault sent and was answered, and which laws did it. */
export interface Recorder {
  readonly wire: Wire
  /** What was sent since the last time was a law's doing. */
  finish(law: string): void
  /** The laws in whose traffic a fault shows, those with the fewest requests first. */
  lawsReaching(fault: MechanicalFault): string[]
  /** Whether an operation was answered with a status. */
  wasAnswered(operation: string, status: string): boolean
  /** Bodies of an operation in which nothing was wrong. */
  bodiesOf(operation: string): readonly unknown[]
}

interface Kept<Item> {
  readonly item: Item
  readonly laws: Set<string>
}

/** Messages of one kind that are kept, at most; those that look alike are one. */
const MAX_KEPT = 80

export function createRecorder(contract: Contract, wire: Wire): Recorder {
  const replies = new Map<string, Map<string, Kept<Reply>>>()
  const broken = new Map<string, Map<string, Kept<Read>>>()
  const bodies = new Map<string, Map<string, unknown>>()
  const counts = new Map<string, number>()
  let pending: Set<string>[] = []
  let count = 0

  function see(call: Call, reply: Reply): void {
    count++
    const operation = operationOf(contract, call, reply)
    if (operation === undefined) return
    note(pending, replies, `${operation} ${reply.status}`, shapeOf(reply), reply)
    const read = readRequest(contract, call)
    if (!read) return
    if (read.findings.length > 0) note(pending, broken, operation, findingsOf(read), read)
    else if (read.body !== undefined) keep(bodies, operation, shapeOfValue(read.body), read.body)
  }

  return {
    wire: {
      async send(call, signal) {
        const reply = await wire.send(call, signal)
        see(call, reply)
        return reply
      },
      close: () => wire.close(),
    },
    finish(law) {
      for (const laws of pending) laws.add(law)
      counts.set(law, count)
      pending = []
      count = 0
    },
    lawsReaching({ operation, plant }) {
      const laws =
        'change' in plant
          ? reaching(replies.get(`${operation} ${plant.status}`), (it) => plant.change(it) !== undefined)
          : reaching(broken.get(operation), (it) => breaksOnly(it, plant))
      return laws.sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))
    },
    wasAnswered: (operation, status) => replies.has(`${operation} ${status}`),
    bodiesOf: (operation) => [...(bodies.get(operation)?.values() ?? [])],
  }
}

function note<Item>(
  pending: Set<string>[],
  all: Map<string, Map<string, Kept<Item>>>,
  key: string,
  shape: string,
  item: Item,
): void {
  const kept = keep(all, key, shape, { item, laws: new Set<string>() })
  if (kept) pending.push(kept.laws)
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

function reaching<Item>(
  kept: ReadonlyMap<string, Kept<Item>> | undefined,
  isIt: (item: Item) => boolean,
): string[] {
  const found = [...(kept?.values() ?? [])].filter(({ item }) => isIt(item))
  return [...new Set(found.flatMap(({ laws }) => [...laws]))]
}

function findingsOf({ findings }: Read): string {
  return findings.map(({ place, pointer, contract }) => `${place} ${pointer} ${contract}`).join('\n')
}

/** Answers look alike where they have the same headers, and members of the same types. */
function shapeOf({ headers, text }: Reply): string {
  return `${Object.keys(headers).sort().join(' ')} ${text === '' ? '' : shapeOfText(text)}`
}

function shapeOfText(text: string): string {
  try {
    return shapeOfValue(JSON.parse(text))
  } catch {
    return 'text'
  }
}

function shapeOfValue(value: unknown): string {
  if (value === null) return '0'
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOfValue))].sort().join()}]`
  if (typeof value !== 'object') return (typeof value).charAt(0)
  return `{${Object.entries(value)
    .map(([name, it]) => `${name}:${shapeOfValue(it)}`)
    .join()}}`
}
