import type { Finding } from './finding.ts'
import { at, isNode, stepsOf } from './json.ts'

/** Sorts findings by the order of the value; missing properties come last in their object. */
export function inOrderOf(value: unknown, findings: readonly Finding[], base: string): Finding[] {
  if (findings.length < 2) return [...findings]
  const ranks = new Map<unknown, Map<string, number>>()
  const ranked = findings.map((finding) => ({
    finding,
    rank: rankOf(value, finding.pointer.slice(base.length), ranks),
  }))
  return ranked.sort((a, b) => compare(a.rank, b.rank)).map(({ finding }) => finding)
}

function rankOf(value: unknown, pointer: string, ranks: Map<unknown, Map<string, number>>): number[] {
  let node = value
  return stepsOf(pointer).map((key) => {
    const rank = isNode(node) ? placesOf(node, ranks).get(key) : undefined
    node = at(node, key)
    return rank ?? Number.MAX_SAFE_INTEGER
  })
}

function placesOf(node: object, ranks: Map<unknown, Map<string, number>>): Map<string, number> {
  const known = ranks.get(node) ?? new Map(Object.keys(node).map((key, i) => [key, i]))
  ranks.set(node, known)
  return known
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
