import { linkValues } from '../generate/link-values.ts'
import type { Contract } from '../model/contract.ts'
import { type Exchange, isSuccess } from '../model/exchange.ts'
import type { HttpRequest } from '../model/http.ts'
import type { Link } from '../model/links.ts'
import type { OperationView } from '../model/operation-view.ts'
import { requestPath } from '../model/paths.ts'
import { keyOfStatus } from '../model/statuses.ts'

/** The records that a run has created, the only ones that it may change on a live service. */
export interface TrackedResources {
  /** Counts a record that is about to be created; false if the limit is reached. */
  begin(view: OperationView, request: HttpRequest): boolean
  /** Tracks the record that a response created or removed. */
  see(exchange: Exchange): void
  /** Whether a path names a record of this run, with or without a trailing slash. */
  isOwn(path: string): boolean
}

/** Limits on a live service: existing at the same time, and created in total. */
export const MAX_AT_A_TIME = 50
export const MAX_IN_ALL = 500
/** Paths beyond this limit do not count as the run's own. */
const MAX = 50_000

export function createTrackedResources(contract: Contract): TrackedResources {
  const own = new Set<string>()
  const existing = new Set<string>()
  const removals = removalsOf(contract)
  const underWay = new Set<HttpRequest>()
  let inAll = 0
  return {
    begin({ id }, request) {
      if (!removals.some(({ from }) => from === id)) return true
      if (existing.size + underWay.size >= MAX_AT_A_TIME || inAll >= MAX_IN_ALL) return false
      underWay.add(request)
      inAll++
      return true
    },
    see(exchange) {
      const { request, response } = exchange
      // A refusal creates nothing. Without a response, a record may have been created.
      if (underWay.delete(request) && response.status >= 400) inAll--
      if (request.method === 'DELETE' && (isSuccess(exchange) || response.status === 404))
        existing.delete(barePath(request.path))
      const removal = removals.find((it) => isLinkSource(it, exchange))
      if (!removal || !isSuccess(exchange)) return
      const created = linkedPath(contract, removal, exchange)
      if (created && existing.size < MAX) existing.add(barePath(created.at))
      for (const link of linksToSameRecord(contract, removal)) {
        const record = linkedPath(contract, link, exchange)
        if (record && own.size < MAX) own.add(barePath(record.at))
      }
    },
    isOwn: (path) => own.has(barePath(path)),
  }
}

/** Links from a creation to the operation that deletes the record. Lists also contain records of others. */
export function removalsOf(contract: Contract): readonly Link[] {
  return contract.links.filter(
    ({ from, to }) => contract.operation(to).method === 'DELETE' && !isRead(contract.operation(from)),
  )
}

export function isRead({ effect, method }: OperationView): boolean {
  return effect === 'read' || method === 'GET' || method === 'HEAD'
}

/** Whether an exchange is the source of a link. */
export function isLinkSource({ from, status }: Link, { view, response }: Exchange): boolean {
  return from === view?.id && status === keyOfStatus(view.statuses, response.status)
}

/** The path of the linked record; undefined if the response does not identify it. */
export function linkedPath(contract: Contract, link: Link, exchange: Exchange): RecordPath | undefined {
  const view = contract.operation(link.to)
  const { path } = linkValues(view, link, exchange) ?? {}
  if (!path || !view.pathParameters.every(({ name }) => name in path)) return undefined
  return { path, at: requestPath(view, { path }) }
}

interface RecordPath {
  readonly path: Readonly<Record<string, string>>
  readonly at: string
}

/** Other links of the same response that use the same values as the one that deletes. */
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

/** Without query and trailing slashes. */
export function barePath(path: string): string {
  return (path.split('?', 1)[0] ?? '').replace(/(?<!\/)\/+$/, '')
}
