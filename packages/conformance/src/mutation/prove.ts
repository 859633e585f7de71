import { check } from '../check.ts'
import { CHECK_OPTIONS, checkOptions } from '../engine/check-options.ts'
import { refuseUnknown } from '../engine/known-options.ts'
import type { CheckOptions } from '../engine/options.ts'
import { baseOf, transportOf } from '../engine/prepare.ts'
import type { Finding } from '../engine/result.ts'
import { reasonOf } from '../engine/stop.ts'
import { readContract } from '../model/contract.ts'
import { CannotRun } from '../model/errors.ts'
import { defaultContract } from '../model/source.ts'
import { profile } from '../profiles/index.ts'
import type { Transport } from '../transport/transport.ts'
import type { MechanicalFault } from './fault.ts'
import { createRecorder } from './recorder.ts'
import { classifyFaults, faultsOf, type Reachable, sampleFaults } from './select-faults.ts'
import { type FaultResult, type TryOptions, tryFault } from './try-fault.ts'

/** What `prove` is told: the configuration that is to be tried, and how many faults. */
export interface ProveOptions extends Omit<CheckOptions, 'onReached' | 'onProgress'> {
  /** Faults that are tried, half of each kind as far as there are as many. Default: 300; Infinity tries all. */
  readonly sample?: number
  /** Told of each fault that was tried. */
  readonly onResult?: (tried: FaultResult, done: number, of: number) => void
}

/** How many faults a configuration catches. */
export interface Proof {
  /** Faults that the contract has, of the operations that were asked about. */
  readonly total: number
  /** Those that can show in what this configuration does. */
  readonly reachable: number
  /** Statuses that the service never gave, and so cannot be held to. */
  readonly unreached: readonly MechanicalFault[]
  /** What makes no difference: a member that no answer has, a keyword that no request can break alone. */
  readonly equivalent: readonly MechanicalFault[]
  /** Faults that were to be tried. */
  readonly sampled: number
  readonly results: readonly FaultResult[]
  /** Operations that were asked about. */
  readonly operations: number
  /** Of those tried that nothing hides, the share that was killed, from 0 to 1. */
  readonly share: number
  /** Findings without any fault; they do not count. */
  readonly findings: readonly Finding[]
  /** Why it ended early, in words: faults that were not tried by then are none of `tried`. Absent where it did not. */
  readonly interrupted?: string
}

/**
 * Says which mechanical faults this very configuration would catch, by planting them one by one in the traffic of a
 * service that is right. A fault is killed where a finding names its operation by one of its rules.
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
  const { sample, onResult, ...options } = given
  checkOptions(options, profile.rules)
  if (sample !== undefined && !(sample >= 0))
    throw new TypeError(`sample must be a number from 0, got ${String(sample)}`)
  if ((options.target ?? 'live') === 'live')
    throw new CannotRun('prove runs once for each fault, and not against a live service')
  const contract = readContract(options.contract ?? (await defaultContract()))
  // Each run paces itself, and they come one after the other.
  const transport = reusable(transportOf(options, baseOf(options.url)))
  try {
    const recorder = createRecorder(contract, transport)
    const onProgress = ({ rule }: { rule: string | undefined }) => rule !== undefined && recorder.finish(rule)
    const { findings, interrupted: ended } = await check({
      ...options,
      transport: recorder.transport,
      onProgress,
    })
    const faults = faultsOf(contract, options.operations)
    const { reachable, unreached, equivalent } = classifyFaults(contract, recorder, faults)
    // Of a run that did not come to its end nobody knows what it would have shown.
    const chosen = ended === undefined ? sampleFaults(reachable, given) : []
    const known = new Set(findings.map(({ id }) => id))
    const results = await tryAll(chosen, { contract, transport, options, known }, onResult)
    const interrupted = ended ?? (options.signal?.aborted ? reasonOf(options.signal) : undefined)
    return {
      total: faults.length,
      reachable: reachable.length,
      unreached,
      equivalent,
      operations: (options.operations ?? contract.operations).length,
      sampled: chosen.length,
      results,
      share: shareOf(results),
      findings,
      ...(interrupted !== undefined && { interrupted }),
    }
  } finally {
    await transport.end()
  }
}

/** Tries one fault after the other, until all were tried or somebody ends it: what that cuts short shows nothing. */
async function tryAll(
  chosen: readonly Reachable[],
  means: Omit<TryOptions, 'rules'>,
  onResult: ProveOptions['onResult'],
): Promise<FaultResult[]> {
  const results: FaultResult[] = []
  for (const { fault, rules } of chosen) {
    if (means.options.signal?.aborted) break
    const it = await tryFault(fault, { ...means, rules })
    if (means.options.signal?.aborted) break
    results.push(it)
    onResult?.(it, results.length, chosen.length)
  }
  return results
}

/** Every option; the others are told of one run, and there are many. */
const PROVE_OPTIONS = (({ onReached: _, onProgress: __, ...rest }) => ({
  ...rest,
  sample: true,
  onResult: true,
}))(CHECK_OPTIONS) satisfies Readonly<Record<keyof ProveOptions, unknown>>

/** Of the faults that could show, those that were named by their rule. */
function shareOf(tried: readonly FaultResult[]): number {
  const count = (...outcomes: readonly FaultResult['outcome'][]) =>
    tried.filter(({ outcome }) => outcomes.includes(outcome)).length
  return count('killed') / Math.max(1, count('killed', 'noticed', 'missed'))
}

/** A wire that several runs use one after the other. */
function reusable(transport: Transport): Transport & { end(): Promise<void> } {
  return {
    send: (request, signal) => transport.send(request, signal),
    close: async () => {},
    end: () => transport.close(),
  }
}
