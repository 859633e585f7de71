import type { OperationId } from '../../contract.ts'
import { notFound, Refusal, refuse } from '../../problems.ts'
import { type Random, uuid } from '../../random.ts'
import type { Bodies } from '../input.ts'
import type { Fault } from './fault.ts'

/** Rules at a time, at most. */
const RULES = 100

/** A fault, the operation it is for, or all of them, and how many requests it still meets. */
export type Rule = Bodies['/faults'] & { readonly id: string; readonly times: number }

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
}

export function createRules(random: Random): Rules {
  const rules = new Map<string, Rule>()
  return {
    list: () => [...rules.values()],
    add(given) {
      refuseIncomplete(given)
      if (rules.size >= RULES) throw new Refusal('invalid_request', { status: 409, detail: FULL })
      const rule = { times: 1, ...given, id: uuid(random) }
      rules.set(rule.id, rule)
      return rule
    },
    remove: (id) => void (rules.delete(id) || notFound()),
    clear: () => rules.clear(),
    take(operation) {
      const rule = [...rules.values()].find((it) => (it.operation ?? operation) === operation)
      if (!rule) return undefined
      if (rule.times > 1) rules.set(rule.id, { ...rule, times: rule.times - 1 })
      else rules.delete(rule.id)
      return faultIn(rule)
    },
  }
}

const FULL = `There are ${RULES} rules already.`

function refuseIncomplete({ kind, ms, status, after }: Bodies['/faults']): void {
  const takesTime = kind === 'latency' || kind === 'slow_body'
  if (takesTime && ms === undefined)
    refuse('invalid_request', '/ms', `"ms" is required of a rule of kind "${kind}".`)
  if (kind === 'status' && status === undefined)
    refuse('invalid_request', '/status', '"status" is required of a rule of kind "status".')
  if (after && kind === 'status' && Number(status) < 500) refuse('invalid_request', '/status', TOO_LATE)
}

const TOO_LATE = '"status" must be from 500 with "after": a refusal is given before any work.'

/** What a kind needs is there; what else was said means nothing to it. */
function faultIn({ kind, ms = 0, status = 500, after = false }: Rule): Fault {
  if (kind === 'latency') return { kind, ms, after }
  if (kind === 'slow_body') return { kind, ms }
  return kind === 'status' ? { kind, status, after } : { kind }
}
