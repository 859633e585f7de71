import type { Contract, Link } from './contract.ts'
import type { Exchange, Who } from './exchange.ts'
import { evaluated } from './maker.ts'
import type { Sender } from './sender.ts'

/** Removes what a run made. */
export interface Undo {
  /** Takes note of a success whose answer links to an operation that deletes. */
  remember(exchange: Exchange, who: Who): void
  /** Deletes all of it, the newest first. */
  all(): Promise<void>
}

/** Records remembered at most. */
const MAX = 20_000
/** Deletions at a time. */
const LANES = 8

export function createUndo(contract: Contract, sender: Pick<Sender, 'send'>): Undo {
  const made: { link: Link; path: Record<string, string>; who: Who }[] = []
  const links = contract.links.filter(({ to }) => contract.operation(to).method === 'DELETE')
  return {
    remember(exchange, who) {
      const link = links.find(
        (it) => it.from === exchange.view?.id && it.status === String(exchange.reply.status),
      )
      if (!link || made.length >= MAX || exchange.body === undefined) return
      const path = Object.entries(link.parameters).map(([name, it]) => [
        name,
        String(evaluated(it, exchange)),
      ])
      made.push({ link, path: Object.fromEntries(path), who })
    },
    async all() {
      const lane = async () => {
        for (let it = made.pop(); it; it = made.pop())
          await sender.send(contract.operation(it.link.to), { path: it.path }, { who: it.who })
      }
      await Promise.all(Array.from({ length: LANES }, lane))
    },
  }
}
