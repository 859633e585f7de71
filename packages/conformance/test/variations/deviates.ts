import { expect } from 'vitest'
import { checked } from './run.ts'
import { type Variation, variations } from './variations.ts'

/** Expects that a rule contradicts the question of a variation, and that nothing else does, or fails. */
export async function expectDeviation(id: string, rule: string, question: string): Promise<void> {
  const variation = variationOf(id)
  const result = await checked(variation, [rule])
  if (typeof result === 'string') throw new Error(result)
  const { findings, verdicts } = result
  const contradicted = verdicts.filter(({ verdict }) => verdict === 'contradicted')
  const allowed = [...variation.touches, ...(variation.near ?? [])]
  expect(findings.filter(({ kind }) => kind === 'failure')).toEqual([])
  expect(contradicted.map((it) => it.question)).toContain(question)
  expect(contradicted.filter((it) => !allowed.includes(it.question))).toEqual([])
}

export function variationOf(id: string): Variation {
  const found = variations.find((it) => it.id === id)
  if (!found) throw new Error(`there is no variation "${id}"`)
  return found
}
