import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../../contract.ts'
import { notFound, Refusal, refuse } from '../../problems.ts'
import { type Random, uuid } from '../../random.ts'
import type { PerformWithFault } from '../../service/service.ts'
import { timestamp } from '../../time.ts'
import type { Bodies } from '../input.ts'
import { createFault, readFault } from './fault.ts'

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

  /** The rules that have not expired, oldest first. */
  function list(): Rule[] {
    for (const rule of rules.values()) {
      if (isOver(rule, now)) rules.delete(rule.id)
    }
    return [...rules.values()]
  }

  /**
   * Finds the oldest fault rule that meets a condition, and counts one use of it: a rule that was
   * used as often as it says is removed. Undefined if there is none.
   */
  function takeRule(meets: (rule: Rule) => boolean): Rule | undefined {
    const rule = list().find(meets)
    if (!rule) return undefined

    if (rule.times > 1) rules.set(rule.id, { ...rule, times: rule.times - 1 })
    else rules.delete(rule.id)
    return rule
  }

  return {
    list,
    /**
     * Adds the fault rule that a request describes, and returns it with its id.
     *
     * @throws {Refusal} if the rule is incomplete, or there are too many
     */
    add(body: Bodies['/faults']): Rule {
      requireComplete(body)
      if (list().length >= MAX_RULES) {
        throw new Refusal('invalid_request', { status: 409, detail: TOO_MANY_RULES })
      }

      const rule = createRule(body, uuid(random), now)
      rules.set(rule.id, rule)
      return rule
    },
    remove(id: string): void {
      const wasThere = rules.delete(id)
      if (!wasThere) notFound()
    },
    clear(): void {
      rules.clear()
    },
    takeFault(operation: OperationId, request: Request): PerformWithFault | undefined {
      const fault = readFault(request) ?? takeRule((rule) => affects(rule, operation))
      return fault && createFault(fault, (ms) => pause(ms, closing.signal))
    },
    /** Whether a rule fails the next delivery attempt. */
    failsDelivery: () => takeRule(({ kind }) => kind === 'fail_deliveries') !== undefined,
    /** Ends all delays. */
    close: () => closing.abort(),
  }
}

/** Whether a rule affects an operation. A rule without one affects every operation. */
function affects(rule: Rule, operation: OperationId): boolean {
  if (rule.kind === 'fail_deliveries') return false
  return rule.operation === undefined || rule.operation === operation
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // When the sandbox closes, delayed responses are sent at once.
  await sleep(ms, undefined, { signal }).catch(() => {})
}

/** Maximum number of rules. */
const MAX_RULES = 100

/** Maximum number of requests that a rule affects. */
const MAX_TIMES = 1_000_000

/** A fault, the operation it affects (or all), how many requests are left, and when it ends. */
export type Rule = Bodies['/faults'] & {
  readonly id: string
  readonly times: number
  readonly ends_at?: string
}

/**
 * The rule of a request, with its defaults. A rule lasts for `seconds`, or else for `times`
 * requests: one by default.
 */
function createRule(body: Bodies['/faults'], id: string, now: () => number): Rule {
  const { seconds } = body
  const rule: Rule = { ...chooseDefaults(body), ...body, id }
  if (seconds === undefined) return rule
  return { ...rule, ends_at: timestamp(now() + seconds * 1000) }
}

function chooseDefaults({ kind, seconds }: Bodies['/faults']): Pick<Rule, 'times' | 'operation'> {
  const times = seconds === undefined ? 1 : MAX_TIMES
  if (kind === 'reject_transfer') return { times, operation: 'createTransfer' }
  return { times }
}

/**
 * Whether the rule has expired. If the clock went back, rules that began later have expired too.
 */
function isOver({ ends_at, seconds = 0 }: Rule, now: () => number): boolean {
  if (ends_at === undefined) return false
  const leftMs = Date.parse(ends_at) - now()
  return leftMs <= 0 || leftMs > seconds * 1000
}

const TOO_MANY_RULES = `There are ${MAX_RULES} rules already.`

/**
 * Throws the refusal of a rule whose fields do not fit each other: its kind needs another field, or
 * has no effect on its operation.
 */
function requireComplete({ kind, operation, ms, status, after }: Bodies['/faults']): void {
  if (operation !== undefined && !canAffect(kind, operation)) {
    refuse('invalid_request', '/operation', WRONG_OPERATION)
  }

  const takesTime = kind === 'latency' || kind === 'slow_body'
  if (takesTime && ms === undefined) {
    refuse('invalid_request', '/ms', `"ms" is required of a rule of kind "${kind}".`)
  }

  if (kind !== 'status') return
  if (status === undefined) {
    refuse('invalid_request', '/status', '"status" is required of a rule of kind "status".')
  }
  const isRefusal = status < 500
  if (after && isRefusal) refuse('invalid_request', '/status', REFUSED_BEFORE_WORK)
}

/** Whether a rule of a kind can name an operation. */
function canAffect(kind: Rule['kind'], operation: OperationId): boolean {
  if (kind === 'fail_deliveries') return false
  if (kind === 'reject_transfer') return operation === 'createTransfer'
  return true
}

const WRONG_OPERATION =
  '"operation" must be "createTransfer" or absent with "reject_transfer", and absent with "fail_deliveries".'
const REFUSED_BEFORE_WORK =
  '"status" must be from 500 with "after": a refusal is given before any work.'
