import { check } from '../check.ts'
import type { CheckOptions } from '../engine/check-options.ts'
import { refuseUnknown } from '../engine/known-options.ts'
import { CHECK_OPTIONS, validateOptions } from '../engine/option-table.ts'
import { baseOf, transportOf } from '../engine/prepare.ts'
import type { Finding } from '../engine/result.ts'
import { reasonOf } from '../engine/stop.ts'
import { readContract } from '../model/contract.ts'
import { defaultContract } from '../model/contract-source.ts'
import { CannotRun } from '../model/errors.ts'
import { profile } from '../profiles/index.ts'
import type { Transport } from '../transport/transport.ts'
import type { MechanicalFault } from './fault.ts'
import { createRecorder } from './recorder.ts'
import { classifyFaults, faultsOf, type Reachable, sampleFaults } from './select-faults.ts'
import { type FaultResult, type TryOptions, tryFault } from './try-fault.ts'

/** Options of `prove`: the configuration to measure, and the number of faults. */
export interface ProveOptions extends Omit<CheckOptions, 'onReached' | 'onProgress'> {
  /** Number of faults to try, half of each kind if there are enough. Default: 300. `Infinity` tries all. */
  readonly sample?: number
  /** Called after each fault. */
  readonly onResult?: (tried: FaultResult, done: number, of: number) => void
}

/** The share of faults that a configuration detects. */
export interface Proof {
  /** Number of faults of the selected operations. */
  readonly total: number
  /** Number of faults that can show in the traffic of this configuration. */
  readonly reachable: number
  /** Faults in statuses that were never returned, or in bodies that were never sent. */
  readonly unreached: readonly MechanicalFault[]
  /** Faults that make no difference: for example, no response has the field. */
  readonly equivalent: readonly MechanicalFault[]
  /** Number of faults selected for trial. */
  readonly sampled: number
  readonly results: readonly FaultResult[]
  /** Number of selected operations. */
  readonly operations: number
  /** The share of killed faults, from 0 to 1. Hidden faults are not counted. */
  readonly share: number
  /** Findings of the run without a fault. They are not counted. */
  readonly findings: readonly Finding[]
  /** Why the trial ended early; faults that were not tried are not in `results`. Absent if it completed. */
  readonly interrupted?: string
}

/**
 * Measures which faults a configuration would detect, by planting them one by one in the traffic of a service that
 * conforms. A fault is killed if one of its rules reports a finding about its operation.
 *
 * @throws {TypeError} if an option is unknown or invalid
 * @throws {CannotRun} if the target is `live` (the default), since each fault is a run; or if the service does not
 * respond, or refuses the credentials
 *
 * @example
 * const credentials = { clientKey: 'partner', clientSecret: 'secret' }
 * const proof = await prove({ url: 'http://127.0.0.1:4020', target: 'sandbox', credentials, sample: 50 })
 * console.log(proof.share)
 */
export async function prove(proveOptions: ProveOptions): Promise<Proof> {
  refuseUnknown('prove', proveOptions, PROVE_OPTIONS)
  const { sample, onResult, ...options } = proveOptions
  validateOptions(options, profile.rules)
  if (sample !== undefined && !(sample >= 0))
    throw new TypeError(`sample must be a number from 0, got ${String(sample)}`)
  if ((options.target ?? 'live') === 'live')
    throw new CannotRun('prove runs once for each fault, and not against a live service')
  const contract = readContract(options.contract ?? (await defaultContract()))
  // Runs are sequential, and each limits its own rate.
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
    // An interrupted run does not show which faults are reachable.
    const chosen = ended === undefined ? sampleFaults(reachable, proveOptions) : []
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

/** A fault whose run was aborted has no result. */
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

/** Callbacks for a single run are left out, since there are many runs. */
const PROVE_OPTIONS = (({ onReached: _, onProgress: __, ...rest }) => ({
  ...rest,
  sample: true,
  onResult: true,
}))(CHECK_OPTIONS) satisfies Readonly<Record<keyof ProveOptions, unknown>>

function shareOf(tried: readonly FaultResult[]): number {
  const count = (...outcomes: readonly FaultResult['outcome'][]) =>
    tried.filter(({ outcome }) => outcomes.includes(outcome)).length
  return count('killed') / Math.max(1, count('killed', 'noticed', 'survived'))
}

/** A transport that several runs can close without ending it. */
function reusable(transport: Transport): Transport & { end(): Promise<void> } {
  return {
    send: (request, signal) => transport.send(request, signal),
    close: async () => {},
    end: () => transport.close(),
  }
}
