import { seededRandom } from '../generate/seeded-random.ts'
import type { Contract } from '../model/contract.ts'
import type { MechanicalFault } from './fault.ts'
import { mechanicalFaults } from './faults.ts'
import { canBreak } from './is-breakable.ts'
import type { Recorder } from './recorder.ts'

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
