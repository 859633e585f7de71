import type { Socket } from 'node:net'

/** How to end a connection without a response: an orderly close (FIN) or a reset (RST; RFC 9293, section 3.5.2). */
export type Cut = 'end' | 'reset'

// A WeakMap, because every response is checked. Reading `type` would make Hono build a full Response, which is slow.
const cuts = new WeakMap<Response, Cut>()

/** Creates the marker for "no response": a network error (Fetch Standard, section 2.2.6). */
export function cutting(how: Cut): Response {
  const response = Response.error()
  cuts.set(response, how)
  return response
}

/** Ends the connection if the response is such a marker, and returns whether it did. */
export function cut(response: Response, socket: Socket): boolean {
  const how = cuts.get(response)
  if (how === undefined) return false
  if (how === 'reset') socket.resetAndDestroy()
  else socket.destroy()
  return true
}
