import type { Result } from '../engine/result.ts'
import { percent, sharesOf } from '../report/coverage.ts'
import { itemsOf } from './flags.ts'
import { refuse } from './usage.ts'

/** What can be gated, in the order in which reports show it. */
const NAMES = ['operations', 'rows', 'kept', 'failed', 'members', 'links', 'rules'] as const

/** Percent that must be reached, by name. */
export type Gate = ReadonlyMap<string, number>

/**
 * Reads `--min-coverage`: `80%` of everything, or `operations=100%,rows=60%`.
 *
 * @throws {UsageError} where a name is unknown, or a number is no percentage.
 */
export function readGate(given: readonly string[] | undefined): Gate {
  const gate = new Map<string, number>()
  for (const item of itemsOf('--min-coverage', given)) {
    const [, name, digits = ''] = /^(?:([a-z]+)=)?(\d{1,3})%?$/.exec(item) ?? []
    const isName = name === undefined || NAMES.some((it) => it === name)
    if (digits === '' || Number(digits) > 100 || !isName)
      refuse(`--min-coverage must be like 80% or operations=100%,rows=60%, got "${item}"`)
    for (const it of name === undefined ? NAMES : [name]) gate.set(it, Number(digits))
  }
  return gate
}

/** A sentence for each thing of which too little was seen. */
export function shortfallsOf(result: Result, gate: Gate): string[] {
  const shares = sharesOf(result)
  return NAMES.flatMap((name, i) => {
    const share = shares[i]
    const wanted = gate.get(name)
    const seen = share && percent(share)
    if (wanted === undefined || seen === undefined || seen >= wanted) return []
    return [`Coverage of ${share?.name} is ${seen} %, and must be ${wanted} %.`]
  })
}
