import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Which answers each connection is still owed. */
export interface Owed {
  /** A request came to the connection of its answer. */
  add(answer: ServerResponse): void
  /**
   * Resolves once what came before something unreadable is answered: answers on a connection come in the order of
   * their requests (RFC 9112, section 9.3.2), and a refusal that came early would be taken for the answer to a
   * payment. Whether the unreadable is to be answered too: it is not where it belongs to a request that was.
   */
  turn(socket: Duplex): Promise<boolean>
}

export function createOwed(): Owed {
  const open = new WeakMap<Duplex, Set<ServerResponse>>()
  const latest = new WeakMap<Duplex, ServerResponse>()
  return {
    add(answer) {
      const { socket } = answer.req
      const answers = open.get(socket) ?? new Set()
      open.set(socket, answers.add(answer))
      latest.set(socket, answer)
      answer.once('close', () => answers.delete(answer))
    },
    async turn(socket) {
      const before = [...(open.get(socket) ?? [])].filter(({ req }) => req.complete)
      const last = latest.get(socket)
      await Promise.all(before.map((answer) => new Promise((resolve) => answer.once('close', resolve))))
      return !last || last.req.complete || !last.headersSent
    },
  }
}
