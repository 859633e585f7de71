import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import {
  fieldsOf,
  findObjection,
  type Get,
  messageOf,
  parsedJson,
} from '@partner-payments/contract'

/** A reverse proxy of a sandbox, for a program that does not ask what it pays. */
export interface SandboxGate {
  /** The base URL, which stands for that of the sandbox. */
  readonly url: string
  close(): void
}

interface GateOptions {
  readonly isRemoteAllowed: boolean
  /** Called if another service responds later. */
  readonly onLost: (reason: string) => void
}

/** Milliseconds until the end of a response. */
const TIMEOUT_MS = 10_000
/** Bytes of a response. */
const MAX_BYTES = 2_000_000

/**
 * Starts a proxy that asks before each change whether the target is still a sandbox, since another
 * service may listen on the same port by then. It asks whether the sandbox issued each access token,
 * and refuses redirects: both may lead to a live service.
 *
 * @throws (rejects) with the reason if the target is no sandbox
 */
export async function startSandboxGate(
  target: URL,
  { isRemoteAllowed, onLost }: GateOptions,
): Promise<SandboxGate> {
  const base = target.href.replace(/\/$/, '')

  /**
   * Why requests must not go to the target; undefined if it is a sandbox.
   *
   * @param token Also asks whether this token is one of the sandbox.
   */
  async function findTargetObjection(token?: string): Promise<string | undefined> {
    const get: Get = async (path, headers) => {
      const { status, body } = await send(base + path, { headers })
      return { status, text: body.toString() }
    }
    const objection = findObjection(target, { kind: 'sandbox', isRemoteAllowed, token, get })
    return objection.catch((error) => `${target.host} does not respond (${messageOf(error)})`)
  }

  /** Why an access token in a response must not be used. */
  async function findTokenObjection({ body }: GateResponse): Promise<string | undefined> {
    const token = fieldsOf(parsedJson(body.toString())).access_token
    return typeof token === 'string' ? findTargetObjection(token) : undefined
  }

  function reportLost(reason: string): GateResponse {
    onLost(reason)
    return createRefusal(reason)
  }

  /**
   * Sends a request on, and returns its response. Refuses if the target is no sandbox any more, or
   * if the response leads to another service: by a redirect, or by a token of it.
   */
  async function forward(incoming: IncomingMessage): Promise<GateResponse> {
    const { method = 'GET', url = '/' } = incoming
    const body = await buffer(incoming)
    const isChange = method !== 'GET'
    if (isChange) {
      const reason = await findTargetObjection()
      if (reason !== undefined) return reportLost(reason)
    }

    const headers = selectHeaders(incoming)
    const response = await send(base + url, { method, headers, body: toRequestBody(body) })
    const isRedirect = response.status >= 300 && response.status < 400
    if (isRedirect) return createRefusal(`${method} ${url} returned ${response.status}, a redirect`)

    const reason = await findTokenObjection(response)
    return reason === undefined ? response : reportLost(reason)
  }

  const reason = await findTargetObjection()
  if (reason !== undefined) throw new Error(reason)

  const server = createServer(async (incoming, outgoing) => {
    const { status, type, body } = await forward(incoming).catch((error) =>
      createRefusal(messageOf(error)),
    )
    outgoing.writeHead(status, type === null ? {} : { 'content-type': type }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A response, as far as workflows read it. */
interface GateResponse {
  readonly status: number
  readonly type: string | null
  readonly body: Buffer
}

/** Sends a request, follows no redirect, and reads the response within the limits. */
async function send(url: string, init: RequestInit = {}): Promise<GateResponse> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { ...init, redirect: 'manual', signal })
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the body.
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > MAX_BYTES) throw new Error(`the response has more than ${MAX_BYTES} bytes`)
    parts.push(part)
  }
  const { status, headers } = response
  return { status, type: headers.get('content-type'), body: Buffer.concat(parts) }
}

/**
 * The headers of a request that are sent on: those that workflows set. The others belong to the
 * connection.
 */
function selectHeaders({ headers }: IncomingMessage): Record<string, string> {
  const sent: Record<string, string> = {}
  for (const name of ['authorization', 'content-type', 'accept']) {
    const value = headers[name]
    if (typeof value === 'string') sent[name] = value
  }
  return sent
}

function toRequestBody(body: Buffer): Uint8Array<ArrayBuffer> | null {
  return body.length === 0 ? null : new Uint8Array(body)
}

function createRefusal(reason: string): GateResponse {
  return { status: 502, type: 'text/plain', body: Buffer.from(`Not passed on: ${reason}\n`) }
}
