import { type Known, refuseUnknown } from '../known-options.ts'
import type { Finding } from '../result.ts'
import { CannotRun } from '../run/cannot-run.ts'
import { check } from '../run/check.ts'
import { CHECK_OPTIONS, checkOptions } from '../run/check-options.ts'
import { type Contract, readContract } from '../run/contract.ts'
import type { CheckOptions } from '../run/options.ts'
import { ownContract } from '../run/own.ts'
import { baseOf, wireOf } from '../run/prepare.ts'
import type { Wire } from '../run/wire.ts'
import { seeded } from '../seeded.ts'
import { isBreakable } from './breakable.ts'
import type { MechanicalFault } from './fault.ts'
import { mechanicalFaults } from './faults.ts'
import { createProvingWire } from './proving-wire.ts'
import { createRecorder, type Recorder } from './recorder.ts'

/** What `prove` is told: the configuration that is to be tried, and how many faults. */
export interface ProveOptions extends Omit<CheckOptions, 'onReached' | 'onProgress'> {
  /** Faults that are tried, half of each kind as far as there are as many. Default: 300; Infinity tries all. */
  readonly sample?: number
  /** Told of each fault that was tried. */
  readonly onTried?: (tried: Tried, done: number, of: number) => void
}

/**
 * What became of a fault: named by its law, by another one, or by none; or hidden, since the service without it shows
 * the very finding that should name it.
 */
export interface Tried {
  readonly fault: MechanicalFault
  readonly outcome: 'killed' | 'noticed' | 'hidden' | 'missed'
  /** Laws that found something which the service without the fault does not show. */
  readonly foundBy: readonly string[]
  /** Ids of the findings that hide it; none of any other outcome. */
  readonly hiddenBy: readonly string[]
  /** Answers that were changed, or requests that were let pass. */
  readonly planted: number
}

/** How many faults a configuration catches. */
export interface Proof {
  /** Faults that the contract has, of the operations that were asked about. */
  readonly drawn: number
  /** Those that can show in what this configuration does. */
  readonly reachable: number
  /** Statuses that the service never gave, and so cannot be held to. */
  readonly unreached: readonly MechanicalFault[]
  /** What makes no difference: a member that no answer has, a keyword that no request can break alone. */
  readonly equivalent: readonly MechanicalFault[]
  readonly tried: readonly Tried[]
  /** Operations that were asked about. */
  readonly operations: number
  /** Of those tried that nothing hides, the share that was killed, from 0 to 1. */
  readonly share: number
  /** Findings without any fault; they do not count. */
  readonly findings: readonly Finding[]
}

/**
 * Says which mechanical faults this very configuration would catch, by planting them one by one in the traffic of a
 * service that is right. A fault is killed where a finding names its operation by one of its laws.
 *
 * @throws {TypeError} where an option is unknown, or not what it must be
 * @throws {CannotRun} where the target is live, as it is by default: each fault is a run. And where the service cannot
 * be reached, or refuses the credentials
 *
 * @example
 * const credentials = { clientKey: 'partner', clientSecret: 'secret' }
 * const proof = await prove({ url: 'http://127.0.0.1:4020', target: 'sandbox', credentials, sample: 50 })
 * console.log(proof.share)
 */
export async function prove(given: ProveOptions): Promise<Proof> {
  refuseUnknown('prove', given, PROVE_OPTIONS)
  const { sample, onTried, ...options } = given
  checkOptions(options)
  if ((options.target ?? 'live') === 'live')
    throw new CannotRun('prove runs once for each fault, and not against a live service')
  const contract = readContract(options.contract ?? (await ownContract()))
  const wire = kept(wireOf(options, baseOf(options.url)))
  try {
    const recorder = createRecorder(contract, wire)
    const onProgress = ({ law }: { law: string | undefined }) => law !== undefined && recorder.finish(law)
    const { findings } = await check({ ...options, wire: recorder.wire, onProgress })
    const faults = faultsIn(contract, options)
    const sorted = sortedOut(contract, recorder, faults)
    const chosen = sampled(sorted.reachable, given)
    const known = new Set(findings.map(({ id }) => id))
    const tried: Tried[] = []
    for (const [i, { fault, laws }] of chosen.entries()) {
      const it = await tryFault(fault, { contract, wire, options, known, laws })
      tried.push(it)
      onTried?.(it, i + 1, chosen.length)
    }
    const { reachable, unreached, equivalent } = sorted
    return {
      drawn: faults.length,
      reachable: reachable.length,
      unreached,
      equivalent,
      operations: (options.operations ?? contract.operations).length,
      tried,
      share: shareOf(tried),
      findings,
    }
  } finally {
    await wire.end()
  }
}

/** Every option; the others are told of one run, and there are many. */
const PROVE_OPTIONS: Known<ProveOptions> = (({ onReached: _, onProgress: __, ...rest }) => ({
  ...rest,
  sample: true as const,
  onTried: true as const,
}))(CHECK_OPTIONS)

/** Of the faults that could show, those that were named by their law. */
function shareOf(tried: readonly Tried[]): number {
  const count = (...outcomes: readonly Tried['outcome'][]) =>
    tried.filter(({ outcome }) => outcomes.includes(outcome)).length
  return count('killed') / Math.max(1, count('killed', 'noticed', 'missed'))
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

/** The faults of the operations that a configuration is about. */
function faultsIn(contract: Contract, { operations }: CheckOptions): MechanicalFault[] {
  return mechanicalFaults(contract).filter((it) => operations?.includes(it.operation) ?? true)
}

function sortedOut(contract: Contract, recorder: Recorder, faults: readonly MechanicalFault[]) {
  const reachable: Reachable[] = []
  const unreached: MechanicalFault[] = []
  const equivalent: MechanicalFault[] = []
  for (const fault of faults) {
    const laws = recorder.lawsReaching(fault)
    if (laws.length > 0 || mayBreak(contract, fault, recorder)) reachable.push({ fault, laws })
    else if (isUnanswered(fault, recorder)) unreached.push(fault)
    else equivalent.push(fault)
  }
  return { reachable, unreached, equivalent }
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
  readonly options: CheckOptions
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
  for (const way of ways.slice(1))
    if (tried.outcome === 'noticed' || tried.outcome === 'missed') tried = await tryOnce(fault, means, way)
  return tried
}

type Way = { readonly [Key in 'only' | 'operations']: readonly string[] | undefined }

async function tryOnce(fault: MechanicalFault, means: Means, { only, operations }: Way): Promise<Tried> {
  const { contract, wire, options, known } = means
  const planted = createProvingWire(contract, wire, fault)
  const { only: _, operations: __, ...rest } = options
  const chosen = { ...(only && { only }), ...(operations && { operations }) }
  const result = await check({ ...rest, ...chosen, wire: planted })
  const places = [fault.contract, contract.document.follow(fault.contract).pointer]
  const found = result.findings.filter(({ id }) => !known.has(id))
  const hiding = result.findings.filter((it) => known.has(it.id) && isNamed(it, fault) && isOneOf(it, places))
  const hiddenBy = planted.planted > 0 && found.length === 0 ? hiding.map(({ id }) => id) : []
  const outcome = found.some((it) => isNamed(it, fault))
    ? 'killed'
    : found.length > 0
      ? 'noticed'
      : hiddenBy.length > 0
        ? 'hidden'
        : 'missed'
  const foundBy = [...new Set(found.map(({ law }) => law))]
  return { fault, outcome, foundBy, hiddenBy, planted: planted.planted }
}

function isNamed({ law, operation }: Finding, fault: MechanicalFault): boolean {
  return operation === fault.operation && fault.laws.includes(law)
}

/** Whether a finding is at a place that a fault breaks: one more case of it is no finding of its own. */
function isOneOf({ contract }: Finding, places: readonly string[]): boolean {
  return places.some((it) => isAtOrBelow(contract, it) || isAtOrBelow(it, contract))
}

function isAtOrBelow(pointer: string, other: string): boolean {
  return `${pointer}/`.startsWith(`${other}/`)
}
