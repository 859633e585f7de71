import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { newRequestId, problemType } from './problems.ts'

/** Refuses a request that Node can parse but Request cannot represent. */
export function refuse(outgoing: ServerResponse): void {
  const { headers, body } = problem(400)
  outgoing.writeHead(400, headers).end(body)
}

/**
 * Refuses a request that Node could not parse or that did not arrive in time. There is no response
 * object.
 */
export function refuseOnSocket(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const status = statuses[error.code ?? ''] ?? 400
  const { headers, body } = problem(status)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

const details: Record<number, string> = {
  400: 'The request is not valid HTTP.',
  408: 'The request did not arrive in time.',
  431: 'The headers exceed 16 KB.',
}

function problem(status: number) {
  const id = newRequestId()
  const facts = {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail: details[status],
  }
  const body = JSON.stringify({ ...facts, code: 'invalid_request', request_id: id })
  const length = String(Buffer.byteLength(body))
  return {
    body,
    headers: {
      'content-type': problemType,
      'content-length': length,
      'x-request-id': id,
      connection: 'close',
    },
  }
}
