import type { Contract, Link, OperationView } from './contract.ts'
import { type Exchange, pathOf } from './exchange.ts'
import { evaluated } from './maker.ts'
import { isSuccess } from './scene.ts'

/** What a run has made: the one thing that it may change on a live service. */
export interface Made {
  /** Takes note of the record that an answer says was made. */
  see(exchange: Exchange): void
  /** Whether a path is that of a record which this run made, with a slash at its end or without. */
  isOwn(path: string): boolean
}

/** Paths remembered at most; what is beyond is nobody's own. */
const MAX = 50_000

export function createMade(contract: Contract): Made {
  const own = new Set<string>()
  const removals = removalsOf(contract)
  return {
    see(exchange) {
      const removal = removals.find((it) => isMeant(it, exchange))
      if (!removal || !isSuccess(exchange)) return
      for (const link of aboutTheSame(contract, removal)) {
        const path = pathBy(contract, link, exchange)
        if (path !== undefined && own.size < MAX) own.add(bare(path))
      }
    },
    isOwn: (path) => own.has(bare(path)),
  }
}

/** Links from an operation that makes a record to the one that deletes it. What a list shows, others made. */
export function removalsOf(contract: Contract): readonly Link[] {
  return contract.links.filter(
    ({ from, to }) => contract.operation(to).method === 'DELETE' && !isRead(contract.operation(from)),
  )
}

/** Whether an operation changes nothing. */
export function isRead({ effect, method }: OperationView): boolean {
  return effect === 'read' || method === 'GET' || method === 'HEAD'
}

/** Whether an answer is the one that a link begins with. */
export function isMeant({ from, status }: Link, { view, reply }: Exchange): boolean {
  return from === view?.id && status === String(reply.status)
}

/** The values that a link gives for a path; undefined where one is no name of a record. */
export function pathParametersBy(
  { parameters }: Link,
  exchange: Exchange,
): Record<string, string> | undefined {
  const entries = Object.entries(parameters).map(([name, it]) => [name, evaluated(it, exchange)] as const)
  if (!entries.every(([, value]) => isName(value))) return undefined
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

/** An empty name, or one of dots, would lead to another place: to all records perhaps. */
function isName(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && !['', '.', '..'].includes(value))
}

/** Links of the same answer that lead to the record by the same values as the one that deletes it. */
function aboutTheSame(contract: Contract, removal: Link): readonly Link[] {
  const names = new Set(Object.values(removal.parameters))
  return contract.links.filter(
    ({ from, status, parameters }) =>
      from === removal.from &&
      status === removal.status &&
      Object.values(parameters).length > 0 &&
      Object.values(parameters).every((it) => names.has(it)),
  )
}

function pathBy(contract: Contract, link: Link, exchange: Exchange): string | undefined {
  const path = pathParametersBy(link, exchange)
  return path && pathOf(contract.operation(link.to), { path })
}

/** Without its query and the slashes at its end. */
export function bare(path: string): string {
  return (path.split('?', 1)[0] ?? '').replace(/\/+$/, '')
}
