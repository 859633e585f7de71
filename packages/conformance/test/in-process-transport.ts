import { setImmediate } from 'node:timers/promises'
import type { Transport } from '../src/transport/transport.ts'

/** A server, without its sockets. */
export type Service = (request: Request) => Promise<Response>

/** Sends requests to a service in this process. */
export function inProcess(service: Service): Transport {
  return {
    async send({ method, path, headers, body }) {
      const began = performance.now()
      const request = new Request(`http://127.0.0.1${path}`, { method, headers, body: body ?? null })
      // Lets timers and sockets have their turn, such as those of deliveries.
      await setImmediate()
      const answer = await service(request)
      const text = method === 'HEAD' || answer.status === 0 ? '' : await answer.text()
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        text,
        ms: performance.now() - began,
      }
    },
    close: async () => undefined,
  }
}
