import type { Transport } from './transport.ts'

/** A service as a function. */
export type Service = (request: Request) => Response | Promise<Response>

/**
 * A transport to a service in the same process, without HTTP. An error of the service becomes status 0.
 *
 * @example
 * const transport = createFetchTransport((request) => new Response(null, { status: request.url ? 204 : 500 }))
 */
export function createFetchTransport(service: Service, base = 'http://127.0.0.1'): Transport {
  return {
    async send({ method, path, headers, body }) {
      const began = performance.now()
      try {
        const request = requestOf(`${base}${path}`, method, headers, body)
        const response = await service(request)
        const text = method === 'HEAD' ? '' : await response.text()
        const ms = performance.now() - began
        return { status: response.status, headers: Object.fromEntries(response.headers), text, ms }
      } catch (error) {
        return { status: 0, headers: {}, text: String(error), ms: performance.now() - began }
      }
    },
    close: async () => {},
  }
}

function requestOf(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): Request {
  const takesBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  if (method !== 'TRACE') return new Request(url, { method, headers, body: takesBody ? body : null })
  // `Request` rejects this method, but servers must handle it.
  return Object.defineProperty(new Request(url, { headers }), 'method', { value: method })
}
