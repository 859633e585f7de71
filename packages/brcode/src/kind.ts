import { type Report, refuse } from './error.ts'
import type { BrCodeKind, Fields } from './fields.ts'
import { issueAt, issueMissing, type Place } from './issue.ts'
import { segmentOf } from './object-rules.ts'

/**
 * Determines the kind of a code (Manual de Padrões para Iniciação do Pix, 2.5.2 and 2.8). Refuses
 * valid fields that contradict each other; the offsets are those of their templates.
 */
export function kindOf(fields: Fields, account: Place, consent = account): BrCodeKind {
  const { key, location, recurrence, withdrawalFacilitator } = fields
  const conflict = (expected: string, place = account) =>
    refuse(issueAt(place, 'conflict', expected))
  if (!key && !location && !recurrence)
    refuse(issueMissing(1, 'a key (01) or a location (25)', account))
  if (key && location) conflict('a key (01) or a location (25), not both')
  if (withdrawalFacilitator && (!key || recurrence))
    conflict('a withdrawal (03) with a key (01) and no recurrence')
  if (recurrence && !['rec', 'subs'].includes(segmentOf(recurrence) ?? ''))
    conflict('/rec/ before the token of the location', consent)
  if (key) return 'static'
  if (!location) return 'recurrence'
  if (recurrence && hostOf(location) !== hostOf(recurrence))
    conflict('one host for charge and recurrence')
  const charge = segmentOf(location)
  if (charge === 'rec') conflict('the location of a charge, not /rec/')
  return charge === 'cobv' ? 'due-date' : 'immediate'
}

function hostOf(location: string): string | undefined {
  return location.split('/')[0]?.toLowerCase()
}

/** The fields that only a code with a key has, with their paths. */
export const STATIC_ONLY = [
  ['amount', '54'],
  ['txid', '62-05'],
  ['message', '26-02'],
] as const

/** Only a withdrawal may have the amount zero. */
export function checkAmount(fields: Fields, offset: number | undefined, tolerate: Report): void {
  const { amount, withdrawalFacilitator } = fields
  if (!amount || withdrawalFacilitator || !/^[0.]+$/.test(amount)) return
  tolerate(issueAt({ id: '54', value: amount, offset }, 'value', 'an amount above zero'))
}
