import type { Contract, Link } from './contract.ts'
import { type Exchange, pathOf, type Who } from './exchange.ts'
import { evaluated } from './maker.ts'
import type { Sender } from './sender.ts'

/** Removes what a run made. */
export interface Undo {
  /** Takes note of a success whose answer links to an operation that deletes, and of deletions. */
  remember(exchange: Exchange, who: Who): void
  /** Deletes what is still there, the newest first. */
  all(): Promise<void>
  /** Paths of what could not be deleted. */
  readonly left: readonly string[]
}

/** Records remembered at most. */
const MAX = 20_000
/** Deletions at a time. */
const LANES = 8

interface Made {
  readonly link: Link
  readonly path: Record<string, string>
  readonly who: Who
}

export function createUndo(contract: Contract, sender: Pick<Sender, 'send'>): Undo {
  const made = new Map<string, Made>()
  const left: string[] = []
  const links = contract.links.filter(({ to }) => contract.operation(to).method === 'DELETE')

  async function remove([at, { link, path, who }]: readonly [string, Made]): Promise<void> {
    const { reply } = await sender.send(contract.operation(link.to), { path }, { who, isCleaning: true })
    // What is not there, or no longer open, need not be removed; nor is there anything to be done about it.
    const isThere = reply.status === 0 || reply.status >= 500 || reply.status === 401 || reply.status === 403
    if (isThere || reply.status === 429) left.push(at)
  }

  return {
    left,
    remember(exchange, who) {
      const { view, call, reply } = exchange
      if (reply.status < 200 || reply.status > 299) return
      if (call.method === 'DELETE') return void made.delete(call.path)
      const link = links.find((it) => it.from === view?.id && it.status === String(reply.status))
      if (!link || made.size >= MAX || exchange.body === undefined) return
      const entries = Object.entries(link.parameters).map(([name, it]) => [
        name,
        String(evaluated(it, exchange)),
      ])
      const path: Record<string, string> = Object.fromEntries(entries)
      // Who has no name here is gone by the end of the run.
      const by = typeof who === 'string' ? who : 'partner'
      made.set(pathOf(contract.operation(link.to), { path }), { link, path, who: by })
    },
    async all() {
      const newest = [...made].reverse()
      const lane = async () => {
        for (let it = newest.shift(); it; it = newest.shift()) await remove(it)
      }
      await Promise.all(Array.from({ length: LANES }, lane))
    },
  }
}
