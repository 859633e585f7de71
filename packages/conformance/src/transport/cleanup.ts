import type { Contract } from '../model/contract.ts'
import { type Exchange, isSuccess, type RequestIdentity } from '../model/exchange.ts'
import type { Link } from '../model/links.ts'
import type { RequestOrigin, Sender } from './sender.ts'
import { isLinkSource, linkedPath, removalsOf } from './tracked-resources.ts'

/** Tracks created records with an operation that deletes them, and deletions. */
export type TrackExchange = (exchange: Exchange, by: RequestOrigin) => void

/** Removes the records of a run. */
export interface Cleanup {
  readonly remember: TrackExchange
  /** Deletes the remaining records, the newest first. */
  removeAll(): Promise<void>
  /** Paths of records that could not be deleted. */
  readonly leftovers: readonly string[]
}

const MAX = 20_000
/** Concurrent deletions, and consecutive ones without a response after which the rest is left. */
const LANES = 8
const MAX_MISSED = 16

interface CreatedRecord {
  readonly link: Link
  readonly path: Readonly<Record<string, string>>
  readonly identity: RequestIdentity
}

export function createCleanup(contract: Contract, sender: Pick<Sender, 'send'>): Cleanup {
  const records = new Map<string, CreatedRecord>()
  const leftovers: string[] = []
  const links = removalsOf(contract)

  /** Returns whether the service responded. */
  async function remove([at, { link, path, identity }]: readonly [string, CreatedRecord]): Promise<boolean> {
    const status = await statusOf(() =>
      sender.send(contract.operation(link.to), { path }, { identity, isCleaning: true }),
    )
    if (!isGone(status)) leftovers.push(at)
    records.delete(at)
    return status !== 0
  }

  return {
    leftovers,
    remember(exchange, { identity, isCleaning = false }) {
      const { request, response } = exchange
      const isDone = isSuccess(exchange) || (isCleaning && isGone(response.status))
      if (request.method === 'DELETE' && isDone) records.delete(request.path)
      if (!isSuccess(exchange)) return
      const link = links.find((it) => isLinkSource(it, exchange))
      const record = link && linkedPath(contract, link, exchange)
      if (!link || !record || records.size >= MAX) return
      // Other authorization headers may be invalid by the end of the run.
      const by = typeof identity === 'string' ? identity : 'partner'
      records.set(record.at, { link, path: record.path, identity: by })
    },
    async removeAll() {
      const newest = [...records].reverse()
      let missed = 0
      const lane = async () => {
        for (let it = newest.shift(); it && missed < MAX_MISSED; it = newest.shift())
          missed = (await remove(it)) ? 0 : missed + 1
      }
      await Promise.all(Array.from({ length: LANES }, lane))
      for (const [at] of records) leftovers.push(at)
      records.clear()
    },
  }
}

/** 0 if there was no response, or no sign-in. */
async function statusOf(ask: () => Promise<Exchange>): Promise<number> {
  try {
    return (await ask()).response.status
  } catch {
    return 0
  }
}

/** Whether the record does not exist any more. */
function isGone(status: number): boolean {
  return (status >= 200 && status < 300) || status === 404 || status === 410
}
