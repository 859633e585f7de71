import { setImmediate } from 'node:timers/promises'
import { check } from '../src/check.ts'
import type { CheckOptions } from '../src/engine/check-options.ts'
import type { Result } from '../src/engine/result.ts'
import type { Transport } from '../src/transport/transport.ts'

/** A server as a function, without sockets. */
export type Service = (request: Request) => Promise<Response>

/** Runs the checker by a transport, on a sandbox unless the options name another target. */
export function checkInProcess(transport: Transport, options: Partial<CheckOptions> = {}): Promise<Result> {
  return check({ url: 'http://in.process', target: 'sandbox', transport, ...options })
}

/** Sends requests to a service in this process. */
export function inProcess(service: Service): Transport {
  return {
    async send({ method, path, headers, body }) {
      const began = performance.now()
      const request = new Request(`http://127.0.0.1${path}`, { method, headers, body: body ?? null })
      // Lets timers and sockets run, such as those of deliveries.
      await setImmediate()
      const response = await service(request)
      const text = method === 'HEAD' || response.status === 0 ? '' : await response.text()
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text,
        ms: performance.now() - began,
      }
    },
    close: async () => undefined,
  }
}
