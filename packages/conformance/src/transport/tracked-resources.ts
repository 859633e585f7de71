import { linkValues } from '../generate/link-values.ts'
import type { Contract } from '../model/contract.ts'
import { type Exchange, isSuccess, pathOf } from '../model/exchange.ts'
import type { HttpRequest } from '../model/http.ts'
import type { Link } from '../model/links.ts'
import type { OperationView } from '../model/operation-view.ts'
import { keyOfStatus } from '../model/statuses.ts'

/** What a run has made: the one thing that it may change on a live service. */
export interface TrackedResources {
  /** Whether one more record may be made; takes note that it is about to be. */
  begin(view: OperationView, request: HttpRequest): boolean
  /** Takes note of the record that an answer says was made, or removed. */
  see(exchange: Exchange): void
  /** Whether a path is that of a record which this run made, with a slash at its end or without. */
  isOwn(path: string): boolean
}

/** Records that a run makes on a live service at most: that are there at a time, and in all. */
export const MAX_AT_A_TIME = 50
export const MAX_IN_ALL = 500
/** Paths remembered at most; what is beyond is nobody's own. */
const MAX = 50_000

export function createTrackedResources(contract: Contract): TrackedResources {
  const own = new Set<string>()
  const there = new Set<string>()
  const removals = removalsOf(contract)
  const underWay = new Set<HttpRequest>()
  let inAll = 0
  return {
    begin({ id }, request) {
      if (!removals.some(({ from }) => from === id)) return true
      if (there.size + underWay.size >= MAX_AT_A_TIME || inAll >= MAX_IN_ALL) return false
      underWay.add(request)
      inAll++
      return true
    },
    see(exchange) {
      const { request, response } = exchange
      // A refusal makes nothing. Where no answer came, nobody knows.
      if (underWay.delete(request) && response.status >= 400) inAll--
      if (request.method === 'DELETE' && (isSuccess(exchange) || response.status === 404))
        there.delete(barePath(request.path))
      const removal = removals.find((it) => isLinkSource(it, exchange))
      if (!removal || !isSuccess(exchange)) return
      const made = linkedPath(contract, removal, exchange)
      if (made && there.size < MAX) there.add(barePath(made.at))
      for (const link of linksToSameRecord(contract, removal)) {
        const same = linkedPath(contract, link, exchange)
        if (same && own.size < MAX) own.add(barePath(same.at))
      }
    },
    isOwn: (path) => own.has(barePath(path)),
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
export function isLinkSource({ from, status }: Link, { view, response }: Exchange): boolean {
  return from === view?.id && status === keyOfStatus(view.statuses, response.status)
}

/** The path of the record that a link leads to; undefined where the answer does not say which that is. */
export function linkedPath(contract: Contract, link: Link, exchange: Exchange): RecordPath | undefined {
  const view = contract.operation(link.to)
  const { path } = linkValues(view, link, exchange) ?? {}
  if (!path || !view.pathParameters.every(({ name }) => name in path)) return undefined
  return { path, at: pathOf(view, { path }) }
}

interface RecordPath {
  /** The values of its parameters. */
  readonly path: Readonly<Record<string, string>>
  readonly at: string
}

/** Links of the same answer that lead to the record by the same values as the one that deletes it. */
function linksToSameRecord(contract: Contract, removal: Link): readonly Link[] {
  const names = new Set(Object.values(removal.parameters))
  return contract.links.filter(
    ({ from, status, parameters }) =>
      from === removal.from &&
      status === removal.status &&
      Object.values(parameters).length > 0 &&
      Object.values(parameters).every((it) => names.has(it)),
  )
}

/** Without its query and the slashes at its end. */
export function barePath(path: string): string {
  return (path.split('?', 1)[0] ?? '').replace(/\/+$/, '')
}
