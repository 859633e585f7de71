import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../../contract.ts'
import { notFound, Refusal, refuse } from '../../problems.ts'
import { type Random, uuid } from '../../random.ts'
import type { Disturbance } from '../../service/service.ts'
import { timestamp } from '../../time.ts'
import type { Bodies } from '../input.ts'
import { disturbanceOf, faultOf } from './fault.ts'

/**
 * Injects faults, by rule or by request header. The header takes precedence and uses up no rule.
 */
export type Faults = ReturnType<typeof createFaults>

/** @param now the time of the sandbox; not called before the first rule */
export function createFaults(random: Random, now: () => number) {
  const rules = new Map<string, Rule>()
  const closing = new AbortController()
  // Every delayed request listens on this signal.
  setMaxListeners(0, closing.signal)

  function list(): Rule[] {
    for (const rule of rules.values()) if (isOver(rule, now)) rules.delete(rule.id)
    return [...rules.values()]
  }

  /** The oldest rule that meets a condition. Uses it once. */
  function take(meets: (rule: Rule) => boolean): Rule | undefined {
    const rule = list().find(meets)
    if (!rule) return undefined
    if (rule.times > 1) rules.set(rule.id, { ...rule, times: rule.times - 1 })
    else rules.delete(rule.id)
    return rule
  }

  return {
    list,
    add(given: Bodies['/faults']): Rule {
      refuseIncomplete(given)
      if (list().length >= RULES)
        throw new Refusal('invalid_request', { status: 409, detail: FULL })
      const { seconds, kind } = given
      const rule: Rule = {
        times: seconds === undefined ? 1 : MOST,
        ...(kind === 'reject_transfer' && { operation: 'createTransfer' }),
        ...given,
        id: uuid(random),
        ...(seconds !== undefined && { ends_at: timestamp(now() + seconds * 1000) }),
      }
      rules.set(rule.id, rule)
      return rule
    },
    remove: (id: string) => void (rules.delete(id) || notFound()),
    clear: () => rules.clear(),
    disturb(operation: OperationId, request: Request): Disturbance | undefined {
      const matches = (it: Rule) =>
        it.kind !== 'fail_deliveries' && (it.operation ?? operation) === operation
      const fault = faultOf(request) ?? take(matches)
      return fault && disturbanceOf(fault, (ms) => pause(ms, closing.signal))
    },
    /** Whether a rule fails the next delivery attempt. */
    failsDelivery: () => take(({ kind }) => kind === 'fail_deliveries') !== undefined,
    /** Ends all delays. */
    close: () => closing.abort(),
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // When the sandbox closes, delayed responses are sent at once.
  await sleep(ms, undefined, { signal }).catch(() => {})
}

/** Maximum number of rules. */
const RULES = 100

/** Maximum number of requests that a rule affects. */
const MOST = 1_000_000

/** A fault, the operation it affects (or all), how many requests are left, and when it ends. */
export type Rule = Bodies['/faults'] & {
  readonly id: string
  readonly times: number
  readonly ends_at?: string
}

/**
 * Whether the rule has expired. If the clock went back, rules that began later have expired too.
 */
function isOver({ ends_at, seconds = 0 }: Rule, now: () => number): boolean {
  if (ends_at === undefined) return false
  const left = Date.parse(ends_at) - now()
  return left <= 0 || left > seconds * 1000
}

const FULL = `There are ${RULES} rules already.`

function refuseIncomplete({ kind, operation, ms, status, after }: Bodies['/faults']): void {
  const only = OPERATIONS[kind]
  if (only !== undefined && (operation ?? only) !== only)
    refuse('invalid_request', '/operation', ELSEWHERE)
  const takesTime = kind === 'latency' || kind === 'slow_body'
  if (takesTime && ms === undefined)
    refuse('invalid_request', '/ms', `"ms" is required of a rule of kind "${kind}".`)
  if (kind === 'status' && status === undefined)
    refuse('invalid_request', '/status', '"status" is required of a rule of kind "status".')
  if (after && kind === 'status' && Number(status) < 500)
    refuse('invalid_request', '/status', TOO_LATE)
}

/** Operations that a kind of fault is limited to; '' means deliveries. */
const OPERATIONS: Partial<Record<Rule['kind'], OperationId | ''>> = {
  reject_transfer: 'createTransfer',
  fail_deliveries: '',
}
const ELSEWHERE =
  '"operation" must be "createTransfer" or absent with "reject_transfer", and absent with "fail_deliveries".'
const TOO_LATE = '"status" must be from 500 with "after": a refusal is given before any work.'
