import { type IssueHandler, refuse } from './error.ts'
import type { BrCodeKind, Fields } from './fields.ts'
import { createIssue, createMissingIssue, type Place } from './issue.ts'
import { readSegment } from './object-rules.ts'

/**
 * Determines the kind of a code (Manual de Padrões para Iniciação do Pix, 2.5.2). A static code has
 * a key to pay to. A code for a charge has its location, a URL without the scheme. One without both
 * is a recurrence.
 */
export function determineKind({ key, location }: Fields, account: Place): BrCodeKind {
  if (key && location) refuseConflict(account, 'a key (01) or a location (25), not both')
  if (key) return 'static'
  if (!location) return 'recurrence'
  return determineKindOfCharge(location, account)
}

/**
 * Refuses a recurrence whose location has another form than `pix.example.com/rec/7d0e`, or another
 * host than the charge of the same code (2.8). A recurrence asks the payer to consent to payments
 * that repeat.
 *
 * @param template that of the recurrence, which the error names
 */
export function requireRecurrence({ location, recurrence }: Fields, template: Place): void {
  if (!recurrence) return

  if (!RECURRENCE_SEGMENTS.has(readSegment(recurrence)))
    refuseConflict(template, '/rec/ before the token of the location')

  if (location && readHost(location) !== readHost(recurrence))
    refuseConflict(template, 'the host of the charge')
}

/**
 * Refuses a code without a key, a location and a recurrence, which neither pays nor asks for
 * consent. Also refuses a withdrawal in a code that cannot have one.
 */
export function requireAccount(fields: Fields, account: Place): void {
  const { key, location, recurrence, withdrawalFacilitator } = fields

  if (!key && !location && !recurrence)
    refuse(createMissingIssue(KEY, 'a key (01) or a location (25)', account))

  const isWithdrawalPossible = key && !recurrence
  if (withdrawalFacilitator && !isWithdrawalPossible)
    refuseConflict(account, 'a withdrawal (03) with a key (01) and no recurrence')
}

/** The number of the object of the key in its template. */
const KEY = 1

/** The segments before the token of a recurrence. */
const RECURRENCE_SEGMENTS: ReadonlySet<string | undefined> = new Set([
  'rec', // The standard (2.8).
  'subs', // Test codes of some providers. Only the lenient profile lets it come this far.
])

/**
 * The kind of a charge, which the segment of its location before the token says (2.5.2):
 * `pix.example.com/cobv/9f3c` has a due date; `cob`, or any other, is due now.
 */
function determineKindOfCharge(location: string, account: Place): BrCodeKind {
  switch (readSegment(location)) {
    case 'rec':
      return refuseConflict(account, 'the location of a charge, not /rec/')
    case 'cobv':
      return 'due-date'
    default:
      return 'immediate'
  }
}

function refuseConflict(place: Place, expected: string): never {
  refuse(createIssue(place, 'conflict', expected))
}

function readHost(location: string): string | undefined {
  return location.split('/')[0]?.toLowerCase()
}

/** The fields that only a code with a key has, with their paths. */
export const STATIC_ONLY = [
  { field: 'amount', path: '54' },
  { field: 'txid', path: '62-05' },
  { field: 'message', path: '26-02' },
] as const

/**
 * Reports an amount of zero, which only a withdrawal may have: somebody hands out cash for a Pix.
 *
 * @param offset Where the amount is in the code; undefined for a code that is being written.
 * @param onTolerable Gets an issue that the lenient profile accepts; the strict one refuses it.
 */
export function checkAmount(
  fields: Fields,
  offset: number | undefined,
  onTolerable: IssueHandler,
): void {
  const { amount, withdrawalFacilitator } = fields
  if (!amount || withdrawalFacilitator) return

  // The format was validated before, so this is a decimal number.
  const isZero = Number(amount) === 0
  if (!isZero) return
  onTolerable(createIssue({ id: '54', value: amount, offset }, 'value', 'an amount above zero'))
}
