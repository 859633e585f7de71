import { connect } from 'node:net'
import { createValidator, type Operation } from '@partner-payments/validator'

const validator = createValidator()
// Any operation, because each declares the error response.
const [anyOperation] = validator.operations as [Operation]

/** Milliseconds without a byte on a busy machine. Node closes an idle connection after 5,000. */
const SILENCE_MS = 4_000

/**
 * What a response violates of the rules for every response: no 5xx, and each refusal is a problem.
 * Empty if nothing.
 */
export async function findFaults(response: Response): Promise<string[]> {
  const { status } = response
  const id = response.headers.get('x-request-id')
  const text = await response.text()

  const faults: string[] = []
  if (status >= 500) faults.push(`status ${status}: ${text.slice(0, 200)}`)
  if (!/^req_[A-Za-z0-9]{20}$/.test(id ?? '')) faults.push(`x-request-id ${id}`)
  if (status >= 400) faults.push(...problemFaults(response, text, id))
  return faults
}

function problemFaults({ status, headers }: Response, text: string, id: string | null): string[] {
  const type = headers.get('content-type')
  if (type !== 'application/problem+json') return [`content-type ${type} of ${status}`]

  const body = JSON.parse(text)
  const message = { status: 500, headers: { 'content-type': type, 'x-request-id': id ?? '' }, body }
  const findings = validator.validateResponse(anyOperation, message, { unknown: true })

  const faults: string[] = []
  for (const finding of findings) faults.push(`problem ${finding.pointer}: ${finding.message}`)
  if (body.status !== status) faults.push(`status ${body.status} in the body of ${status}`)
  if (body.request_id !== id) faults.push('request_id is not x-request-id')
  if (INSIDE.test(text)) faults.push(`shows its inside: ${text.slice(0, 200)}`)
  return faults
}

/** Matches stack traces, file names and SQL. */
const INSIDE =
  /\.[jt]s\b|node:|node_modules|:\d+:\d+\)|SELECT |INSERT |SQLITE|PostgreSQL|constraint/

/** What a server wrote until it closed the connection or stayed silent for too long. */
export interface Received {
  readonly bytes: Buffer
  readonly isClosed: boolean
}

/**
 * Writes a text to a port, then another after the first response, or half-closes the connection.
 */
export function writeRaw(
  port: number,
  text: string,
  { half = false, after }: { readonly half?: boolean; readonly after?: string } = {},
): Promise<Received> {
  const bytes = Buffer.from(text, 'latin1')
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => {
      if (half) socket.end(bytes)
      else socket.write(bytes)
    })

    const end = (isClosed: boolean) => {
      resolve({ bytes: Buffer.concat(parts), isClosed })
      socket.destroy()
    }

    socket.setTimeout(SILENCE_MS, () => end(false))
    socket.on('data', (part) => parts.push(part))
    if (after) socket.once('data', () => socket.write(after))
    socket.on('close', () => end(true))
    // A server may reset the connection after refusing. What it wrote before counts.
    socket.on('error', () => {})
  })
}

/** Parses the responses, without interim ones (RFC 9112). */
export function parseResponses({ bytes }: Received): Response[] {
  const responses: Response[] = []
  let rest = bytes.toString('latin1')
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const [start = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(start)?.[1])
    if (end === -1 || !status) throw new Error(`no HTTP: ${rest.slice(0, 200)}`)

    const headers = new Headers()
    for (const line of lines) {
      const [name = '', value] = line.split(/: ?(.*)/)
      if (value === undefined) throw new Error(`no header: ${line}`)
      headers.append(name, value)
    }
    rest = rest.slice(end + 4)
    if (status < 200) continue

    const length = status === 204 ? 0 : Number(headers.get('content-length') ?? rest.length)
    const body = Buffer.from(rest.slice(0, length), 'latin1')
    rest = rest.slice(length)
    responses.push(new Response(body.length > 0 ? body : null, { status, headers }))
  }

  return responses
}
