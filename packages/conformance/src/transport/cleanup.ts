import type { Contract } from '../model/contract.ts'
import type { Exchange, RequestIdentity } from '../model/exchange.ts'
import { isSuccess } from '../model/exchange.ts'
import type { Link } from '../model/links.ts'
import type { RequestOrigin, Sender } from './sender.ts'
import { isLinkSource, linkedPath, removalsOf } from './tracked-resources.ts'

/** Takes note of a success whose answer links to an operation that deletes, and of deletions. */
export type TrackExchange = (exchange: Exchange, by: RequestOrigin) => void

/** Removes what a run made. */
export interface Cleanup {
  readonly remember: TrackExchange
  /** Deletes what is still there, the newest first. */
  removeAll(): Promise<void>
  /** Paths of what could not be deleted. */
  readonly leftovers: readonly string[]
}

/** Records remembered at most. */
const MAX = 20_000
/** Deletions at a time, and in a row that may stay without an answer before the rest is left. */
const LANES = 8
const MAX_MISSED = 16

interface CreatedRecord {
  readonly link: Link
  readonly path: Readonly<Record<string, string>>
  readonly identity: RequestIdentity
}

export function createCleanup(contract: Contract, sender: Pick<Sender, 'send'>): Cleanup {
  const made = new Map<string, CreatedRecord>()
  const leftovers: string[] = []
  const links = removalsOf(contract)

  /** Whether the service answered at all. */
  async function remove([at, { link, path, identity }]: readonly [string, CreatedRecord]): Promise<boolean> {
    const status = await statusOf(() =>
      sender.send(contract.operation(link.to), { path }, { identity, isCleaning: true }),
    )
    if (!isGone(status)) leftovers.push(at)
    made.delete(at)
    return status !== 0
  }

  return {
    leftovers,
    remember(exchange, { identity, isCleaning = false }) {
      const { request, response } = exchange
      const isDone = isSuccess(exchange) || (isCleaning && isGone(response.status))
      if (request.method === 'DELETE' && isDone) made.delete(request.path)
      if (!isSuccess(exchange)) return
      const link = links.find((it) => isLinkSource(it, exchange))
      const record = link && linkedPath(contract, link, exchange)
      if (!link || !record || made.size >= MAX) return
      // Who has no name here is gone by the end of the run.
      const by = typeof identity === 'string' ? identity : 'partner'
      made.set(record.at, { link, path: record.path, identity: by })
    },
    async removeAll() {
      const newest = [...made].reverse()
      let missed = 0
      const lane = async () => {
        for (let it = newest.shift(); it && missed < MAX_MISSED; it = newest.shift())
          missed = (await remove(it)) ? 0 : missed + 1
      }
      await Promise.all(Array.from({ length: LANES }, lane))
      for (const [at] of made) leftovers.push(at)
      made.clear()
    },
  }
}

/** The status of an answer; 0 where none came, or where nobody can sign in any more. */
async function statusOf(ask: () => Promise<Exchange>): Promise<number> {
  try {
    return (await ask()).response.status
  } catch {
    return 0
  }
}

/** Whether nothing is there any more. */
function isGone(status: number): boolean {
  return (status >= 200 && status < 300) || status === 404 || status === 410
}
