import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What a sample sent. */
export type Recorded = { method: string; path: string; authorization: string | undefined; body: string }

export type Recorder = { url: string; take(): Recorded[]; close(): Promise<void> }

/** Stands before the service at `target`: passes each request on, and remembers it. */
export async function record(target: string): Promise<Recorder> {
  let seen: Recorded[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { method = '', url = '', headers } = request
    seen.push({ method, path: url, authorization: headers.authorization, body })
    const answer = await fetch(target + url, { method, headers: headersOf(request), ...(body && { body }) })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    response.end(answer.status === 204 ? undefined : await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = seen
      seen = []
      return taken
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function headersOf({ headers }: IncomingMessage): Headers {
  const passed = ['authorization', 'content-type', 'accept']
  return new Headers(
    passed.flatMap((name): [string, string][] => (headers[name] ? [[name, String(headers[name])]] : [])),
  )
}
