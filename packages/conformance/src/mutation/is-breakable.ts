import { type Json, withValue } from '../generate/schema/json.ts'
import type { Contract } from '../model/contract.ts'
import { valueAt } from '../model/document.ts'
import { pathOf } from '../model/exchange.ts'
import { writeBody } from '../model/operation-view.ts'
import { type RequestPlant, withWildcards } from './fault.ts'
import { invalidCandidates, KEYWORDS } from './invalid-values.ts'
import { isBrokenOnlyBy, readRequest } from './repair.ts'

/**
 * Whether some edit of a valid body breaks the keyword and nothing else. It uses values of its own, so that a
 * request that the checker fails to generate still counts.
 */
export function canBreak(
  contract: Contract,
  operation: string,
  plant: RequestPlant,
  bodies: readonly unknown[],
): boolean {
  const view = contract.operation(operation)
  const keyword = plant.keyword.split('/').at(-1) ?? ''
  const limit = contract.document.at(plant.keyword)
  return bodies.some((body) =>
    pointersOf(body, plant.path, keyword).some((pointer) =>
      valuesFor(keyword, limit, valueAt(body, pointer)).some((value) => {
        const failed = withValue(body as Json, pointer, value as Json | undefined)
        const { type, body: text } = writeBody(view, failed)
        const headers = { 'content-type': type }
        const request = { method: view.method, path: pathOf(view, {}), headers, body: text }
        const read = readRequest(contract, request)
        return read !== undefined && isBrokenOnlyBy(read, plant)
      }),
    ),
  )
}

function valuesFor(keyword: string, limit: unknown, now: unknown): readonly unknown[] {
  if (keyword === 'required') return [undefined]
  const known = KEYWORDS.find((it) => it === keyword)
  return known ? invalidCandidates(known, limit, now) : [null, 7, 1.5, 'text', true, [], {}]
}

/** The pointers that a path with `*` matches. */
function pointersOf(value: unknown, path: string, keyword: string): string[] {
  const all = ['', ...pointersBelow(value, '')]
  return all.filter(
    (it) => withWildcards(it) === path && (keyword !== 'required' || valueAt(value, it) !== undefined),
  )
}

function pointersBelow(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    `${at}/${name}`,
    ...pointersBelow(inner, `${at}/${name}`),
  ])
}
