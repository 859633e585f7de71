import { type Json, withValue } from '../generate/schema/json.ts'
import { seededRandom } from '../generate/seeded-random.ts'
import type { Contract } from '../model/contract.ts'
import { valueAt } from '../model/document.ts'
import { writeBody } from '../model/operation-view.ts'
import { requestPath } from '../model/paths.ts'
import { type MechanicalFault, type RequestPlant, withWildcards } from './fault.ts'
import { mechanicalFaults } from './faults.ts'
import { invalidCandidates, KEYWORDS } from './invalid-values.ts'
import type { Recorder } from './recorder.ts'
import { isBrokenOnlyBy, readRequest } from './repair.ts'

/** A fault that can show in the traffic. */
export interface Reachable {
  readonly fault: MechanicalFault
  /** Rules in whose traffic the fault shows. */
  readonly rules: readonly string[]
}

/** Faults of the selected operations. */
export function faultsOf(contract: Contract, operations: readonly string[] | undefined): MechanicalFault[] {
  return mechanicalFaults(contract).filter((it) => operations?.includes(it.operation) ?? true)
}

/** Separates reachable faults from those in unseen traffic and those that make no difference. */
export function classifyFaults(contract: Contract, recorder: Recorder, faults: readonly MechanicalFault[]) {
  const reachable: Reachable[] = []
  const unreached: MechanicalFault[] = []
  const equivalent: MechanicalFault[] = []
  for (const fault of faults) {
    const rules = recorder.rulesReaching(fault)
    if (rules.length > 0 || canBreakAny(contract, fault, recorder)) reachable.push({ fault, rules })
    else if (isUnreached(fault, recorder)) unreached.push(fault)
    else equivalent.push(fault)
  }
  return { reachable, unreached, equivalent }
}

function canBreakAny(contract: Contract, { plant, operation }: MechanicalFault, recorder: Recorder): boolean {
  return 'keyword' in plant && canBreak(contract, operation, plant, recorder.bodiesOf(operation))
}

function isUnreached({ plant, operation }: MechanicalFault, recorder: Recorder): boolean {
  if ('status' in plant) return !recorder.hasStatus(operation, plant.status)
  return plant.place === 'body' && recorder.bodiesOf(operation).length === 0
}

/** Takes half of each kind, since faults in responses far outnumber the others. */
export function sampleFaults(
  all: readonly Reachable[],
  { sample = 300, seed = 1 }: { readonly sample?: number; readonly seed?: number },
): Reachable[] {
  const random = seededRandom(seed)
  const shuffled = all
    .map((it) => ({ it, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ it }) => it)
  const responses = shuffled.filter(({ fault }) => fault.kind === 'response')
  const requests = shuffled.filter(({ fault }) => fault.kind === 'request')
  const half = Math.min(requests.length, Math.floor(sample / 2))
  const more = responses.slice(0, sample - half)
  return [...requests.slice(0, sample - more.length), ...more]
}

/**
 * Whether some edit of a valid body breaks the keyword and nothing else. It uses values of its own, so that a
 * request that the checker fails to generate still counts.
 */
function canBreak(
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
        const request = { method: view.method, path: requestPath(view, {}), headers, body: text }
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
