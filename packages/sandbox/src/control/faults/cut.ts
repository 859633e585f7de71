import type { Socket } from 'node:net'

/** How a connection ends that gives no answer: in good order (FIN), or not (RST; RFC 9293, section 3.5.2). */
export type Cut = 'end' | 'reset'

const resets = new WeakSet<Response>()

/** What stands for no answer at all: a network error of the Fetch Standard, section 2.2.6. */
export function cutting(how: Cut): Response {
  const answer = Response.error()
  if (how === 'reset') resets.add(answer)
  return answer
}

/** Ends a connection as its answer says. */
export function cut(answer: Response, socket: Socket): void {
  if (resets.has(answer)) socket.resetAndDestroy()
  else socket.destroy()
}
