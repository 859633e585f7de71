import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { newRequestId, PROBLEM_TYPE } from './problems.ts'

/** Responds to a request that Node can parse but Request cannot represent, or for another reason. */
export function respondInvalid(outgoing: ServerResponse, detail?: string): void {
  const { headers, body } = createProblem(400, detail)
  outgoing.writeHead(400, headers).end(body)
}

/**
 * Ends the connection of a request that Node could not parse or that did not arrive in time. There
 * is no response object, so it writes to the socket.
 */
export function endUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET') socket.destroy()
  else endWithProblem(socket, STATUSES[error.code ?? ''] ?? 400)
}

/** Ends the connection of CONNECT, which asks a proxy for a tunnel (RFC 9110, section 9.3.6). */
export function endTunnel(socket: Duplex): void {
  // Node no longer handles this socket.
  socket.on('error', () => undefined)
  endWithProblem(socket, 400, 'The mock is not a proxy.')
}

/**
 * Writes an error response to a socket and closes it. Node has no response object for a request
 * that it could not parse.
 */
function endWithProblem(socket: Duplex, status: number, detail?: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }

  const { headers, body } = createProblem(status, detail)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`]
  for (const [name, value] of Object.entries(headers)) head.push(`${name}: ${value}`)
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const STATUSES: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

const DETAILS: Record<number, string> = {
  400: 'The request is not valid HTTP.',
  408: 'The request did not arrive in time.',
  431: 'The headers exceed 16 KB.',
}

/** The headers and the body of an error response that closes the connection. */
function createProblem(status: number, detail = DETAILS[status]) {
  const id = newRequestId()
  const body = JSON.stringify({
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail,
    code: 'invalid_request',
    request_id: id,
  })
  return {
    body,
    headers: {
      'content-type': PROBLEM_TYPE,
      'content-length': String(Buffer.byteLength(body)),
      'x-request-id': id,
      connection: 'close',
    },
  }
}
