import { serve } from '@partner-payments/sandbox'
import { listen } from '../test/faulty/listen.ts'
import { startFaulty } from '../test/faulty/start.ts'
import type { Target } from './peers.ts'

/** A sandbox over HTTP, without limits of rates. */
export function startSandbox() {
  return serve({ port: 0, allowLoopback: true, limitsRates: false })
}

/** A service at one address, in which one fault after the other can be planted. */
export async function startTarget(): Promise<Target & { close(): Promise<void> }> {
  const right = await startSandbox()
  let current: { readonly url: string; close(): Promise<void> } = right
  const proxy = await listen((request) => {
    const { pathname, search } = new URL(request.url)
    return fetch(new Request(current.url + pathname + search, request), { redirect: 'manual' })
  })
  const end = () => (current === right ? undefined : current.close())
  return {
    url: proxy.url,
    async plant(fault) {
      await end()
      current = fault ? await startFaulty(fault.id) : right
    },
    async close() {
      await end()
      await proxy.close()
      await right.close()
    },
  }
}
