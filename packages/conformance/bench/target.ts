import { serve } from '@partner-payments/sandbox'
import { openMutant } from '../test/mutants/index.ts'
import type { Mutant } from '../test/mutants/tools.ts'
import { listen } from '../test/services/listen.ts'
import type { Target } from './peers.ts'

/** A sandbox over HTTP, without limits of rates. */
export function startSandbox() {
  return serve({ port: 0, allowLoopback: true, limitsRates: false })
}

/** A service at one address, in which one mutant after the other can be planted. */
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
    async plant(mutant) {
      await end()
      current = mutant ? await served(mutant) : right
    },
    async close() {
      await end()
      await proxy.close()
      await right.close()
    },
  }
}

async function served(mutant: Mutant) {
  const service = await openMutant(mutant)
  const { url, close } = await listen(service.fetch)
  return { url, close: async () => void (await Promise.all([close(), service.close()])) }
}
