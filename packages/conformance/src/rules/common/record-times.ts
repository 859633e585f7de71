import type { Resource as Declared } from '@partner-payments/spec/behaviour'
import type { Violation } from '../../engine/violation.ts'
import { nodeOf, valueAt } from '../../model/document.ts'
import { citing } from './declared-sources.ts'

/** The time of a record's creation or last change, in the declared field or one of a usual name. */
export function timeIn(
  record: unknown,
  declared: Declared | undefined,
  which: 'created' | 'updated',
): number | undefined {
  const pointer = declared?.touched?.[which]
  const value = pointer === undefined ? undefined : valueAt(record, pointer)
  const shown = value ?? nodeOf(record)[`${which}_at`] ?? nodeOf(record)[`${which}At`]
  const time = typeof shown === 'string' ? Date.parse(shown) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/** The citation for the times of a record. */
export function citedTimes(declared: Declared | undefined): Pick<Violation, 'cites' | 'question'> {
  return declared?.touched ? citing(declared.touched, declared) : { cites: { convention: 'timestamps' } }
}
