import type { Socket } from 'node:net'

/** How a connection ends that gives no answer: in good order (FIN), or not (RST; RFC 9293, section 3.5.2). */
export type Cut = 'end' | 'reset'

// By identity, since every answer is asked, and asking a quick one of Hono for its type would make it slow.
const cuts = new WeakMap<Response, Cut>()

/** What stands for no answer at all: a network error of the Fetch Standard, section 2.2.6. */
export function cutting(how: Cut): Response {
  const answer = Response.error()
  cuts.set(answer, how)
  return answer
}

/** Ends a connection where its answer is none; whether it was. */
export function cut(answer: Response, socket: Socket): boolean {
  const how = cuts.get(answer)
  if (how === undefined) return false
  if (how === 'reset') socket.resetAndDestroy()
  else socket.destroy()
  return true
}
