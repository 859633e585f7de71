import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from '@partner-payments/sandbox'

/** A request and the answer of the service behind. */
export interface Passing {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly body: string
}

/** A service over HTTP that can be broken. */
export interface Service {
  readonly url: string
  /** What passed, in its order. */
  readonly passed: Passing[]
  /** Changes answers from now on. */
  change: ((answer: Answer, passing: Passing) => Answer | undefined) | undefined
  /** Requests that get no answer. */
  hold: ((request: Pick<Passing, 'method' | 'path'>) => boolean) | undefined
  close(): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A real sandbox, and a relay before it that records and can break what passes. */
export async function startService(): Promise<Service> {
  const sandbox = await createApp({ allowLoopback: true, limitsRates: false })
  const passed: Passing[] = []
  const respond = async (request: Request): Promise<Answer> => {
    const { method } = request
    const path = request.url.replace(/^http:..[^/]+/, '')
    const answer = await sandbox.fetch(request)
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => !HOP.has(name)))
    const passing = { method, path, status: answer.status, body: await answer.text() }
    passed.push(passing)
    const plain = { status: answer.status, headers, body: passing.body }
    return service.change?.(plain, passing) ?? plain
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = 'GET', url: path = '/' } = request
    if (service.hold?.({ method, path })) return
    const body = chunks.length > 0 ? Buffer.concat(chunks) : null
    const headers = request.headers as Record<string, string>
    const answer = await respond(new Request(`http://127.0.0.1${path}`, { method, headers, body }))
    response.writeHead(answer.status, answer.headers).end(answer.body)
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

/** Drops a member of every answer to a path. */
export function without(member: string, path: string): Service['change'] {
  return (answer, passing) => {
    if (!passing.path.startsWith(path) || answer.status !== 200) return undefined
    const { [member]: _, ...rest } = JSON.parse(answer.body)
    return { ...answer, body: JSON.stringify(rest) }
  }
}
