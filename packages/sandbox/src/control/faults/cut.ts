import type { Socket } from 'node:net'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Fetch } from '../../listen.ts'

/** How a connection ends that gives no answer: in good order (FIN), or not (RST; RFC 9293, section 3.5.2). */
export type Cut = 'end' | 'reset'

const resets = new WeakSet<Response>()

/** What stands for no answer at all: a network error of the Fetch Standard, section 2.2.6. */
export function cutting(how: Cut): Response {
  const answer = Response.error()
  if (how === 'reset') resets.add(answer)
  return answer
}

interface Bindings {
  readonly incoming: { readonly socket: Socket }
}

/** The same for a server: where there is to be no answer, it ends the connection. */
export function cuttable(fetch: Fetch): (request: Request, bindings: Bindings) => Promise<Response> {
  return async (request, { incoming }) => {
    const answer = await fetch(request)
    // A network error has no status. Its type would tell too, but asking for that makes light answers heavy.
    if (answer.status !== 0) return answer
    if (resets.has(answer)) incoming.socket.resetAndDestroy()
    else incoming.socket.destroy()
    return RESPONSE_ALREADY_SENT
  }
}
