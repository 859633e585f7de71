import { configuration } from '../../bench/configuration.ts'
import { check, createFetchTransport } from '../../src/index.ts'
import type { Run } from './gate.ts'
import type { Mutant } from './mutants.ts'
import { namedBy } from './named.ts'
import { secondsSince } from './seconds.ts'

/** Milliseconds of a run. One of everything takes 10 s, and more if deliveries do not arrive. */
const LIMIT = 300_000
/** Milliseconds that a delivery may take, so that a busy machine causes no finding. */
const DELIVERY_MS = 20_000

/** Runs the checker on new services with a mutant. */
export function runOn({ open, responseWithinMs }: Pick<Mutant, 'open' | 'responseWithinMs'>): Run {
  return async ({ only, operations, isOverHttp = false }) => {
    const service = await open()
    const signal = AbortSignal.timeout(LIMIT)
    const began = process.cpuUsage()
    try {
      const { findings, requests } = await check({
        ...(isOverHttp
          ? { url: await service.listen() }
          : { url: 'http://127.0.0.1', transport: createFetchTransport(service.fetch) }),
        ...configuration,
        seed: 1,
        deliveryWithinMs: DELIVERY_MS,
        signal,
        ...(responseWithinMs && { responseWithinMs }),
        ...(only && { only }),
        ...(operations && { operations }),
      })
      signal.throwIfAborted()
      return { named: namedBy(findings), requests, seconds: secondsSince(began) }
    } finally {
      await service.close()
    }
  }
}
