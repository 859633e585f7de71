import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from '@partner-payments/sandbox'

/** A request, and the response of the inner service. */
export interface Passing {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly body: string
}

/** An HTTP service that can be broken. */
export interface Service {
  readonly url: string
  /** The recorded requests, in order. */
  readonly passed: Passing[]
  /** Changes all further responses. */
  change: ((response: ServiceResponse, passing: Passing) => ServiceResponse | undefined) | undefined
  /** Selects requests that get no response. */
  hold: ((request: Pick<Passing, 'method' | 'path'>) => boolean) | undefined
  close(): Promise<void>
}

export interface ServiceResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Starts a sandbox behind a proxy that records requests and can change responses. */
export async function startService(): Promise<Service> {
  const sandbox = await createApp({ allowLoopback: true, limitsRates: false })
  const passed: Passing[] = []
  const respond = async (request: Request): Promise<ServiceResponse> => {
    const { method } = request
    const path = request.url.replace(/^http:..[^/]+/, '')
    const response = await sandbox.fetch(request)
    const headers = Object.fromEntries([...response.headers].filter(([name]) => !HOP.has(name)))
    const passing = { method, path, status: response.status, body: await response.text() }
    passed.push(passing)
    const plain = { status: response.status, headers, body: passing.body }
    return service.change?.(plain, passing) ?? plain
  }
  const server = createServer(async (request, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = 'GET', url: path = '/' } = request
    if (service.hold?.({ method, path })) return
    const body = chunks.length > 0 ? Buffer.concat(chunks) : null
    const headers = request.headers as Record<string, string>
    const response = await respond(new Request(`http://127.0.0.1${path}`, { method, headers, body }))
    outgoing.writeHead(response.status, response.headers).end(response.body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const service: Service = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    change: undefined,
    hold: undefined,
    async close() {
      server.closeAllConnections()
      server.close()
      await sandbox.close()
    },
  }
  return service
}

const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date'])

/** Removes a field from every response to a path. */
export function without(field: string, path: string): Service['change'] {
  return (response, passing) => {
    if (!passing.path.startsWith(path) || response.status !== 200) return undefined
    const { [field]: _, ...rest } = JSON.parse(response.body)
    return { ...response, body: JSON.stringify(rest) }
  }
}
