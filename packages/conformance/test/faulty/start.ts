import type { AppOptions } from '@partner-payments/sandbox'
import type { Plant } from './fault.ts'
import { faults } from './faults.ts'
import { listen } from './listen.ts'
import { tolerated } from './tolerated.ts'
import { openWorld, type World } from './world.ts'
import { wrapped } from './wrap.ts'

/** A service that listens. */
export interface Started {
  /** Without a slash at the end. */
  readonly url: string
  close(): Promise<void>
}

/** The service with something planted in it, as a function from a request to an answer. */
export function planted(world: World, { service, relay }: Plant): (request: Request) => Promise<Response> {
  world.relay = relay
  return service ? wrapped(world, service) : world.app.fetch
}

/**
 * Serves a copy of the service that is wrong in one way. Its control is there, its rates are not limited, and it
 * delivers to this machine.
 *
 * @param options What the sandbox is made of besides.
 * @throws {Error} where no fault has this id.
 *
 * @example
 * const { url, close } = await startFaulty('charge-paid-twice')
 */
export async function startFaulty(id: string, options: AppOptions = {}): Promise<Started> {
  const { plant } = named(faults, id)
  const world = await openWorld(options)
  return serving(world, await listen(planted(world, plant)))
}

/**
 * Serves a variant of the service that is right, as {@link startFaulty} does.
 *
 * @param options What the sandbox is made of besides.
 * @throws {Error} where no variant has this id.
 *
 * @example
 * const { url, close } = await startTolerated('pretty-printed')
 */
export async function startTolerated(id: string, options: AppOptions = {}): Promise<Started> {
  const variant = named(tolerated, id)
  const world = await openWorld(options)
  return serving(world, await listen(planted(world, variant), variant))
}

function serving(world: World, { url, close }: Started): Started {
  return {
    url,
    async close() {
      await close()
      await world.close()
    },
  }
}

function named<T extends { readonly id: string }>(all: readonly T[], id: string): T {
  const found = all.find((it) => it.id === id)
  if (!found) throw new Error(`"${id}" is none of ${all.map((it) => it.id).join(', ')}`)
  return found
}
