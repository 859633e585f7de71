import type { Wrong } from '../test/mutants/index.ts'
import { listen } from '../test/services/listen.ts'
import { openService } from '../test/services/service.ts'

/** A service before which the peers stand, and what is planted in it. */
export type Target = Awaited<ReturnType<typeof startTarget>>

/** Starts a service at one address, in which one mutant after the other can be planted. */
export async function startTarget() {
  let current = await openService({})
  const { url, close } = await listen((request) => current.fetch(request))
  return {
    url,
    async plant(mutant: Wrong | undefined) {
      await current.close()
      current = await openService(mutant?.service ?? {})
    },
    async close() {
      await close()
      await current.close()
    },
  }
}
