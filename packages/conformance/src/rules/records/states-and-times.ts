import type { Resource as Declared } from '@partner-payments/spec/behaviour'
import type { Contract } from '../../model/contract.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { citing } from '../common/declared-sources.ts'

/** The declared transition of a new record by an operation. */
export function transitionOf(declared: Declared | undefined, { id }: Pick<OperationView, 'id'>) {
  const { states = {}, initial = [], operations = {} } = declared ?? {}
  const [action = ''] = Object.entries(operations).find(([, it]) => it === id) ?? []
  const state = states[initial[0] ?? '']
  const transition = state?.on?.[action]
  const { to } = transition ?? {}
  return { action, to, next: states[to ?? ''], place: citing(transition, state, declared) }
}

/** Milliseconds by which clocks may differ, less than the offset of Brazilian local time from UTC. */
const NEAR = 90 * 60_000

/**
 * Whether a record shows another creation time than the time of the response to its creation. Times that the contract
 * itself shows are those of its examples, which a mock returns.
 */
export function isCreatedAtAnotherTime(
  time: number | undefined,
  { at }: Exchange,
  contract: Contract,
): boolean {
  if (at === undefined || time === undefined || Math.abs(time - at) <= NEAR) return false
  return !exampleTimes(contract).has(time)
}

const known = new WeakMap<object, ReadonlySet<number>>()

function exampleTimes({ document: { root } }: Contract): ReadonlySet<number> {
  const found = known.get(root) ?? new Set(dateTimeStrings(root).map((it) => Date.parse(it)))
  known.set(root, found)
  return found
}

function dateTimeStrings(root: object): string[] {
  return [...JSON.stringify(root).matchAll(/"(\d{4}-\d\d-\d\d[T ][^"]*)"/g)].map(([, it = '']) => it)
}
