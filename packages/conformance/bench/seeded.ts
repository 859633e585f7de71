import { currentId } from '../src/engine/aliases.ts'
import { check } from '../src/index.ts'
import type { Fault } from '../test/faulty/fault.ts'
import { startFaulty } from '../test/faulty/start.ts'
import { configuration } from './configuration.ts'

/** What became of a fault that is seeded in the sandbox. */
export interface Seeded {
  readonly id: string
  readonly kind: string
  /** Killed: a finding whose rule may name it, at its operation. Noticed: another finding. Missed: none. */
  readonly outcome: 'killed' | 'noticed' | 'missed'
  readonly wanted: string
  readonly named: string
}

/**
 * Runs the rules that may name a fault against a copy of the sandbox that has it.
 *
 * @param isQuick Only with the operations of the fault.
 */
export async function trySeeded(fault: Fault, isQuick = false): Promise<Seeded> {
  const { url, close } = await startFaulty(fault.id)
  try {
    const { findings } = await check({
      ...configuration,
      url,
      responseWithinMs: 1_000,
      only: [...fault.rule],
      ...(isQuick && fault.operation && { operations: [fault.operation, ...(fault.elsewhere ?? [])] }),
    })
    const isNamed = findings.some(
      ({ rule, operation }) => fault.rule.some((it) => currentId(it) === rule) && isAt(fault, operation),
    )
    const outcome = isNamed ? 'killed' : findings.length > 0 ? 'noticed' : 'missed'
    const named = [...new Set(findings.map(({ rule, operation }) => `${rule}@${operation}`))].slice(0, 6)
    return { id: fault.id, kind: fault.kind, outcome, wanted: fault.rule.join(' '), named: named.join(' ') }
  } finally {
    await close()
  }
}

function isAt({ operation, elsewhere = [] }: Fault, found: string | undefined): boolean {
  return operation === undefined || found === operation || elsewhere.some((it) => it === found)
}
