import type { AppOptions } from '@partner-payments/sandbox'
import type { Plant } from './fault.ts'
import { faults } from './faults.ts'
import { listen } from './listen.ts'
import { openTestSandbox, type TestSandbox } from './sandbox.ts'
import { tolerated } from './tolerated.ts'
import { wrapped } from './wrap.ts'

/** A listening service. */
export interface Started {
  /** Without a trailing slash. */
  readonly url: string
  close(): Promise<void>
}

/** The service with a fault, as a fetch function. */
export function planted(
  sandbox: TestSandbox,
  { service, relay }: Plant,
): (request: Request) => Promise<Response> {
  sandbox.relay = relay
  return service ? wrapped(sandbox, service) : sandbox.app.fetch
}

/**
 * Serves the sandbox with one fault. It has the control API and no rate limits, and delivers to this machine.
 *
 * @param options Further options of the sandbox.
 * @throws {Error} if no fault has this id
 *
 * @example
 * const { url, close } = await startFaulty('charge-paid-twice')
 */
export async function startFaulty(id: string, options: AppOptions = {}): Promise<Started> {
  const { plant } = named(faults, id)
  const sandbox = await openTestSandbox(options)
  return serving(sandbox, await listen(planted(sandbox, plant)))
}

/**
 * Serves a correct variant of the service, like {@link startFaulty}.
 *
 * @param options Further options of the sandbox.
 * @throws {Error} if no variant has this id
 *
 * @example
 * const { url, close } = await startTolerated('pretty-printed')
 */
export async function startTolerated(id: string, options: AppOptions = {}): Promise<Started> {
  const variant = named(tolerated, id)
  const sandbox = await openTestSandbox(options)
  return serving(sandbox, await listen(planted(sandbox, variant), variant))
}

function serving(sandbox: TestSandbox, { url, close }: Started): Started {
  return {
    url,
    async close() {
      await close()
      await sandbox.close()
    },
  }
}

function named<T extends { readonly id: string }>(all: readonly T[], id: string): T {
  const found = all.find((it) => it.id === id)
  if (!found) throw new Error(`"${id}" is none of ${all.map((it) => it.id).join(', ')}`)
  return found
}
