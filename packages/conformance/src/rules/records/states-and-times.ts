import type { Resource as Declared } from '@partner-payments/spec/behaviour'
import type { Violation } from '../../engine/violation.ts'
import type { Contract } from '../../model/contract.ts'
import { nodeOf, valueAt } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { citing } from '../sources.ts'

/** What an operation does to a new record, as declared. */
export function transitionOf(declared: Declared | undefined, { id }: Pick<OperationView, 'id'>) {
  const { states = {}, initial = [], operations = {} } = declared ?? {}
  const [action = ''] = Object.entries(operations).find(([, it]) => it === id) ?? []
  const state = states[initial[0] ?? '']
  const transition = state?.on?.[action]
  const { to } = transition ?? {}
  return { action, to, next: states[to ?? ''], place: citing(transition, state, declared) }
}

/** When a record was created or changed, where it shows that as declared or by the usual names. */
export function momentIn(
  record: unknown,
  declared: Declared | undefined,
  which: 'created' | 'updated',
): number | undefined {
  const pointer = declared?.touched?.[which]
  const value = pointer === undefined ? undefined : valueAt(record, pointer)
  const shown = value ?? nodeOf(record)[`${which}_at`] ?? nodeOf(record)[`${which}At`]
  const moment = typeof shown === 'string' ? Date.parse(shown) : Number.NaN
  return Number.isNaN(moment) ? undefined : moment
}

/** What the moments of a record rest on: without a declaration, on common practice. */
export function citedMoments(declared: Declared | undefined): Pick<Violation, 'cites' | 'question'> {
  return declared?.touched ? citing(declared.touched, declared) : { cites: { convention: 'timestamps' } }
}

/** Milliseconds by which clocks may differ. Local time that is written as UTC is further off wherever Brazil has people. */
const NEAR = 90 * 60_000

/**
 * Whether a record shows another creation time than the time of the response to its creation. Times that the contract
 * itself shows are those of its examples, which a mock returns.
 */
export function isCreatedAtAnotherTime(
  moment: number | undefined,
  { at }: Exchange,
  contract: Contract,
): boolean {
  if (at === undefined || moment === undefined || Math.abs(moment - at) <= NEAR) return false
  return !momentsOf(contract).has(moment)
}

const known = new WeakMap<object, ReadonlySet<number>>()

function momentsOf({ document: { root } }: Contract): ReadonlySet<number> {
  const found = known.get(root) ?? new Set(textsIn(root).map((it) => Date.parse(it)))
  known.set(root, found)
  return found
}

function textsIn(root: object): string[] {
  return [...JSON.stringify(root).matchAll(/"(\d{4}-\d\d-\d\d[T ][^"]*)"/g)].map(([, it = '']) => it)
}
