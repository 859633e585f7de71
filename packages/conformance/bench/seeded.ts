import { check } from '../src/index.ts'
import type { Fault } from '../test/faulty/fault.ts'
import { startFaulty } from '../test/faulty/start.ts'
import { configuration } from './configuration.ts'

/** Whether a rule that may name a fault reports it, at an operation that it concerns. */
export async function isKilled(fault: Fault): Promise<boolean> {
  const { url, close } = await startFaulty(fault.id)
  try {
    const { findings } = await check({
      ...configuration,
      url,
      responseWithinMs: 1_000,
      only: [...fault.rule],
    })
    return findings.some(({ rule, operation }) => fault.rule.includes(rule) && isAt(fault, operation))
  } finally {
    await close()
  }
}

function isAt({ operation, elsewhere = [] }: Fault, found: string | undefined): boolean {
  return operation === undefined || found === operation || elsewhere.some((it) => it === found)
}
