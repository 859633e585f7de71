import type { OperationId } from '../../contract.ts'
import { notFound, Refusal, refuse } from '../../problems.ts'
import { type Random, uuid } from '../../random.ts'
import { timestamp } from '../../time.ts'
import type { Bodies } from '../input.ts'
import type { Fault } from './fault.ts'

/** Rules at a time, at most. */
const RULES = 100

/** Requests that a rule meets at most. */
const MOST = 1_000_000

/** A fault, the operation it is for, or all of them, how many requests it still meets, and when it ends. */
export type Rule = Bodies['/faults'] & {
  readonly id: string
  readonly times: number
  readonly ends_at?: string
}

/** Which requests are to go wrong. */
export interface Rules {
  list(): readonly Rule[]
  /** @throws {Refusal} `invalid_request` for lack of what its kind needs, or a refusal that comes after the work; status 409 when there are too many. */
  add(rule: Bodies['/faults']): Rule
  /** @throws {Refusal} `not_found` */
  remove(id: string): void
  clear(): void
  /** The fault of a request, by the oldest rule that is for its operation; uses it up by one. */
  take(operation: OperationId): Fault | undefined
  /** Whether a rule fails an attempt of a delivery; uses the oldest one up by one. */
  takeDelivery(): boolean
}

export function createRules(random: Random, now: () => number): Rules {
  const rules = new Map<string, Rule>()
  const list = () => {
    for (const rule of rules.values()) if (isOver(rule, now)) rules.delete(rule.id)
    return [...rules.values()]
  }
  const use = (meets: (rule: Rule) => boolean) => {
    const rule = list().find(meets)
    if (!rule) return undefined
    if (rule.times > 1) rules.set(rule.id, { ...rule, times: rule.times - 1 })
    else rules.delete(rule.id)
    return rule
  }
  return {
    list,
    add(given) {
      refuseIncomplete(given)
      if (list().length >= RULES) throw new Refusal('invalid_request', { status: 409, detail: FULL })
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
    remove: (id) => void (rules.delete(id) || notFound()),
    clear: () => rules.clear(),
    take(operation) {
      const rule = use((it) => it.kind !== 'fail_deliveries' && (it.operation ?? operation) === operation)
      return rule && faultIn(rule)
    },
    takeDelivery: () => use(({ kind }) => kind === 'fail_deliveries') !== undefined,
  }
}

/** Whether its time has passed. Where the clock went back, a rule that began later is over too. */
function isOver({ ends_at, seconds = 0 }: Rule, now: () => number): boolean {
  if (ends_at === undefined) return false
  const left = Date.parse(ends_at) - now()
  return left <= 0 || left > seconds * 1000
}

const FULL = `There are ${RULES} rules already.`

function refuseIncomplete({ kind, operation, ms, status, after }: Bodies['/faults']): void {
  const only = OPERATIONS[kind]
  if (only !== undefined && (operation ?? only) !== only) refuse('invalid_request', '/operation', ELSEWHERE)
  const takesTime = kind === 'latency' || kind === 'slow_body'
  if (takesTime && ms === undefined)
    refuse('invalid_request', '/ms', `"ms" is required of a rule of kind "${kind}".`)
  if (kind === 'status' && status === undefined)
    refuse('invalid_request', '/status', '"status" is required of a rule of kind "status".')
  if (after && kind === 'status' && Number(status) < 500) refuse('invalid_request', '/status', TOO_LATE)
}

/** Operations that a kind is for, where it is not for all; none for deliveries. */
const OPERATIONS: Partial<Record<Rule['kind'], OperationId | ''>> = {
  reject_transfer: 'createTransfer',
  fail_deliveries: '',
}
const ELSEWHERE =
  '"operation" must be "createTransfer" or absent with "reject_transfer", and absent with "fail_deliveries".'
const TOO_LATE = '"status" must be from 500 with "after": a refusal is given before any work.'

/** What a kind needs is there; what else was said means nothing to it. */
function faultIn({ kind, ms = 0, status = 500, after = false }: Rule): Fault {
  if (kind === 'latency') return { kind, ms, after }
  if (kind === 'slow_body') return { kind, ms }
  if (kind === 'fail_deliveries') throw new Error('a rule for deliveries met a request')
  return kind === 'status' ? { kind, status, after } : { kind }
}
