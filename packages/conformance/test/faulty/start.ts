import type { AppOptions } from '@partner-payments/sandbox'
import { faults } from './faults.ts'
import { listen } from './listen.ts'
import { type Plant, planted } from './plant.ts'
import { openTestSandbox } from './sandbox.ts'

/** A listening service. */
export interface Started {
  /** Without a trailing slash. */
  readonly url: string
  close(): Promise<void>
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
  return startPlanted(named(faults, id).plant, options)
}

/** Serves the sandbox with a change. */
export async function startPlanted(
  plant: Plant & Parameters<typeof listen>[1],
  options: AppOptions = {},
): Promise<Started> {
  const sandbox = await openTestSandbox(options)
  const { url, close } = await listen(planted(sandbox, plant), plant)
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
