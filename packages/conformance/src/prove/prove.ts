import type { Finding } from '../result.ts'
import { check } from '../run/check.ts'
import { type Contract, readContract } from '../run/contract.ts'
import type { CheckOptions } from '../run/options.ts'
import { ownContract } from '../run/own.ts'
import { CannotRun } from '../run/refused-sign-in.ts'
import { createWire, type Wire } from '../run/wire.ts'
import { seeded } from '../seeded.ts'
import { isBreakable } from './breakable.ts'
import type { MechanicalFault } from './fault.ts'
import { mechanicalFaults } from './faults.ts'
import { createProvingWire } from './proving-wire.ts'
import { createRecorder, type Recorder } from './recorder.ts'

/** What `prove` is told: the configuration that is to be tried, and how many faults. */
export interface ProveOptions extends Omit<CheckOptions, 'onProgress'> {
  /** Faults that are tried, half of each kind as far as there are as many. Default: 300; Infinity tries all. */
  readonly sample?: number
  /** Told of each fault that was tried. */
  readonly onTried?: (tried: Tried, done: number, of: number) => void
}

/** What became of a fault: named by its law, by another one, or by none. */
export interface Tried {
  readonly fault: MechanicalFault
  readonly outcome: 'killed' | 'noticed' | 'missed'
  /** Laws that found something which the service without the fault does not show. */
  readonly foundBy: readonly string[]
  /** Answers that were changed, or requests that were let pass. */
  readonly planted: number
}

/** How many faults a configuration catches. */
export interface Proof {
  /** Faults that the contract has, in all. */
  readonly drawn: number
  /** Those that can show in what this configuration does. */
  readonly reachable: number
  /** Statuses that the service never gave, and so cannot be held to. */
  readonly unreached: readonly MechanicalFault[]
  /** What makes no difference: a member that no answer has, a keyword that no request can break alone. */
  readonly equivalent: readonly MechanicalFault[]
  readonly tried: readonly Tried[]
  /** Of those tried, the share that was killed, from 0 to 1. */
  readonly share: number
  /** Findings without any fault; they do not count. */
  readonly findings: readonly Finding[]
}

/**
 * Says which mechanical faults this very configuration would catch, by planting them one by one in the traffic of a
 * service that is right. A fault is killed where a finding names its operation by one of its laws.
 *
 * @throws {CannotRun} where the target is live, as it is by default: each fault is a run. And where the service cannot
 * be reached, or refuses the credentials
 *
 * @example
 * const credentials = { clientKey: 'partner', clientSecret: 'secret' }
 * const proof = await prove({ url: 'http://127.0.0.1:4020', target: 'sandbox', credentials, sample: 50 })
 * console.log(proof.share)
 */
export async function prove(options: ProveOptions): Promise<Proof> {
  if ((options.target ?? 'live') === 'live')
    throw new CannotRun('prove runs once for each fault, and not against a live service')
  const contract = readContract(options.contract ?? (await ownContract()))
  const wire = kept(options.wire ?? createWire(new URL(options.url)))
  try {
    const recorder = createRecorder(contract, wire)
    const onProgress = ({ law }: { law: string }) => recorder.finish(law)
    const clean = await check({ ...options, wire: recorder.wire, onProgress })
    const sorted = sortedOut(contract, recorder)
    const sample = sampled(sorted.reachable, options)
    const known = new Set(clean.findings.map(({ id }) => id))
    const tried: Tried[] = []
    for (const [i, { fault, laws }] of sample.entries()) {
      const it = await tryFault(fault, { contract, wire, options, known, laws })
      tried.push(it)
      options.onTried?.(it, i + 1, sample.length)
    }
    const { drawn, reachable, unreached, equivalent } = sorted
    const share = tried.filter(({ outcome }) => outcome === 'killed').length / Math.max(1, tried.length)
    return {
      drawn,
      reachable: reachable.length,
      unreached,
      equivalent,
      tried,
      share,
      findings: clean.findings,
    }
  } finally {
    await wire.end()
  }
}

/** A wire that several runs use one after the other. */
function kept(wire: Wire): Wire & { end(): Promise<void> } {
  return { send: (call) => wire.send(call), close: async () => {}, end: () => wire.close() }
}

interface Reachable {
  readonly fault: MechanicalFault
  /** Laws in whose traffic it shows. */
  readonly laws: readonly string[]
}

function sortedOut(contract: Contract, recorder: Recorder) {
  const reachable: Reachable[] = []
  const unreached: MechanicalFault[] = []
  const equivalent: MechanicalFault[] = []
  const faults = mechanicalFaults(contract)
  for (const fault of faults) {
    const laws = recorder.lawsReaching(fault)
    if (laws.length > 0 || mayBreak(contract, fault, recorder)) reachable.push({ fault, laws })
    else if (isUnanswered(fault, recorder)) unreached.push(fault)
    else equivalent.push(fault)
  }
  return { drawn: faults.length, reachable, unreached, equivalent }
}

function mayBreak(contract: Contract, { plant, operation }: MechanicalFault, recorder: Recorder): boolean {
  return 'keyword' in plant && isBreakable(contract, operation, plant, recorder.bodiesOf(operation))
}

function isUnanswered({ plant, operation }: MechanicalFault, recorder: Recorder): boolean {
  if ('status' in plant) return !recorder.wasAnswered(operation, plant.status)
  return plant.place === 'body' && recorder.bodiesOf(operation).length === 0
}

/** The two kinds in turn, each shuffled: there are few keywords of requests beside the members of answers. */
function sampled(all: readonly Reachable[], { sample = 300, seed = 1 }: ProveOptions): Reachable[] {
  const random = seeded(seed)
  const shuffled = all
    .map((it) => ({ it, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ it }) => it)
  const answers = shuffled.filter(({ fault }) => fault.kind === 'answer')
  const checks = shuffled.filter(({ fault }) => fault.kind === 'check')
  const half = Math.min(checks.length, Math.floor(sample / 2))
  const more = answers.slice(0, sample - half)
  return [...checks.slice(0, sample - more.length), ...more]
}

interface Means {
  readonly contract: Contract
  readonly wire: Wire
  readonly options: ProveOptions
  readonly known: ReadonlySet<string>
  readonly laws: readonly string[]
}

/** Laws that bring about the traffic in which a fault shows, besides those that should name it. */
const DRIVERS = 2

/**
 * First with the laws and the operation concerned. What these miss, the others may find: all laws that brought it
 * about, since some of them begin with another operation, and in the end the whole of the configuration.
 */
async function tryFault(fault: MechanicalFault, means: Means): Promise<Tried> {
  const { options, laws } = means
  const wanted = [...fault.laws, ...laws.slice(0, DRIVERS)]
  const { only, operations } = options
  const narrow = { only: wanted, operations: [fault.operation] }
  const wide = [
    { only: [...fault.laws, ...laws], operations },
    { only, operations },
  ]
  const ways = only
    ? [
        { only, operations: [fault.operation] },
        { only, operations },
      ]
    : [narrow, ...wide]
  let tried = await tryOnce(fault, means, ways[0] ?? narrow)
  for (const way of ways.slice(1)) if (tried.outcome !== 'killed') tried = await tryOnce(fault, means, way)
  return tried
}

type Way = { readonly [Key in 'only' | 'operations']: readonly string[] | undefined }

async function tryOnce(fault: MechanicalFault, means: Means, { only, operations }: Way): Promise<Tried> {
  const { contract, wire, options, known } = means
  const planted = createProvingWire(contract, wire, fault)
  const { only: _, operations: __, ...rest } = options
  const chosen = { ...(only && { only }), ...(operations && { operations }) }
  const result = await check({ ...rest, ...chosen, wire: planted })
  const found = result.findings.filter(({ id }) => !known.has(id))
  const isNamed = found.some(
    ({ law, operation }) => operation === fault.operation && fault.laws.includes(law),
  )
  const outcome = isNamed ? 'killed' : found.length > 0 ? 'noticed' : 'missed'
  return { fault, outcome, foundBy: [...new Set(found.map(({ law }) => law))], planted: planted.planted }
}
