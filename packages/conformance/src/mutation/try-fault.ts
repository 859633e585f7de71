import { check } from '../check.ts'
import type { CheckOptions } from '../engine/check-options.ts'
import type { Finding } from '../engine/result.ts'
import type { Contract } from '../model/contract.ts'
import type { Transport } from '../transport/transport.ts'
import type { MechanicalFault } from './fault.ts'
import { createMutatingTransport } from './mutating-transport.ts'

/**
 * The outcome of a fault: `killed` if one of its rules reported it, `noticed` if another rule did, `survived` if
 * none did, `hidden` if the service without the fault already has the finding that should report it.
 */
export interface FaultResult {
  readonly fault: MechanicalFault
  readonly outcome: 'killed' | 'noticed' | 'hidden' | 'survived'
  /** Rules with findings that the service without the fault does not have. */
  readonly foundBy: readonly string[]
  /** Ids of the findings that hide the fault; empty for other outcomes. */
  readonly hiddenBy: readonly string[]
  /** Number of changed responses or accepted invalid requests. */
  readonly planted: number
}

export interface TryOptions {
  readonly contract: Contract
  readonly transport: Transport
  readonly options: CheckOptions
  readonly known: ReadonlySet<string>
  readonly rules: readonly string[]
}

/** Additional rules that cause traffic in which the fault shows. */
const MAX_OTHER_RULES = 2

/**
 * Starts with the fault's rules and operation. If it survives, tries all rules that caused its traffic, since some
 * start at another operation, and finally the whole configuration.
 */
export async function tryFault(fault: MechanicalFault, means: TryOptions): Promise<FaultResult> {
  const { options, rules } = means
  const wanted = [...fault.rules, ...rules.slice(0, MAX_OTHER_RULES)]
  const { only, operations } = options
  const narrow = { only: wanted, operations: [fault.operation] }
  const wide = [
    { only: [...fault.rules, ...rules], operations },
    { only, operations },
  ]
  const ways = only
    ? [
        { only, operations: [fault.operation] },
        { only, operations },
      ]
    : [narrow, ...wide]
  let result = await tryOnce(fault, means, ways[0] ?? narrow)
  for (const way of ways.slice(1))
    if (result.outcome === 'noticed' || result.outcome === 'survived')
      result = await tryOnce(fault, means, way)
  return result
}

type Way = { readonly [Key in 'only' | 'operations']: readonly string[] | undefined }

async function tryOnce(
  fault: MechanicalFault,
  means: TryOptions,
  { only, operations }: Way,
): Promise<FaultResult> {
  const { contract, transport, options, known } = means
  const planted = createMutatingTransport(contract, transport, fault)
  const { only: _, operations: __, ...rest } = options
  const chosen = { ...(only && { only }), ...(operations && { operations }) }
  const result = await check({ ...rest, ...chosen, transport: planted })
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
        : 'survived'
  const foundBy = [...new Set(found.map(({ rule }) => rule))]
  return { fault, outcome, foundBy, hiddenBy, planted: planted.planted }
}

function isNamed({ rule, operation }: Finding, fault: MechanicalFault): boolean {
  return operation === fault.operation && fault.rules.includes(rule)
}

/** Whether a finding is at the place of the fault, where another case adds no finding. */
function isOneOf({ contract }: Finding, places: readonly string[]): boolean {
  return places.some((it) => isAtOrBelow(contract, it) || isAtOrBelow(it, contract))
}

function isAtOrBelow(pointer: string, other: string): boolean {
  return `${pointer}/`.startsWith(`${other}/`)
}
