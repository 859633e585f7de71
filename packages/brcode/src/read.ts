import { createReader } from './apply-rules.ts'
import { BrCodeError, type Issue, type IssueHandler } from './error.ts'
import type { BrCode, BrCodeKind, Fields } from './fields.ts'
import {
  checkAmount,
  determineKind,
  requireAccount,
  requireRecurrence,
  STATIC_ONLY,
} from './kind.ts'
import * as rules from './object-rules.ts'
import { findAccount, findExtra, findRecurrence } from './templates.ts'
import type { Level } from './tlv.ts'

/**
 * Reads the fields of a code from its objects, such as `amount` from object 54, and validates them.
 */
export function readFields(
  level: Level,
  onTolerable: IssueHandler,
  issues: readonly Issue[],
): BrCode {
  const account = findAccount(level, onTolerable)
  const extra = findExtra(level, onTolerable)

  const readRoot = createReader(level, onTolerable)
  const readAccount = createReader(account, onTolerable)

  // The order of the values is the order of the issues.
  readRoot(rules.FORMAT)
  readRoot(rules.CURRENCY)
  readRoot(rules.COUNTRY)

  const payment = {
    key: readAccount(rules.KEY),
    location: readAccount(rules.LOCATION),
    withdrawalFacilitator: readAccount(rules.FACILITATOR),
  }
  const kind = determineKind(payment, account.parent)
  const recurrence = readRecurrence(level, kind, payment, onTolerable)
  requireAccount({ ...payment, recurrence }, account.parent)

  const isStatic = kind === 'static'
  // The charge has the amount, so that of the code is accepted whatever it is, and removed below.
  const amountRule = isStatic ? rules.AMOUNT : rules.AMOUNT_IGNORED
  const fields = {
    kind,
    account: account.parent.id,
    ...payment,
    recurrence,
    amount: readRoot(amountRule),
    txid: extra && createReader(extra, onTolerable)(rules.TXID),
    message: readAccount(rules.MESSAGE),
    merchantName: readRoot(rules.NAME),
    merchantCity: readRoot(rules.CITY),
    merchantCategory: readRoot(rules.CATEGORY),
    postalCode: readRoot(rules.POSTAL_CODE),
    pointOfInitiation: readRoot(rules.POINT),
    objects: level.objects,
    ignored: [] as string[],
    issues,
  }
  if (isStatic) checkAmount(fields, level.at[54]?.offset, onTolerable)
  else fields.ignored = removeValuesOfStatic(fields, account.parent.id)

  // The rules guarantee the type: mandatory fields are present, and each kind has its own fields.
  return fields as BrCode
}

/**
 * The location of a recurrence, which a code may have beside a payment; undefined if it has none.
 * Refuses an error in it if the payment is immediate (3.3.2, journey 3). Any other payment goes on
 * without the recurrence in the lenient profile, which lists the error (journey 4).
 */
function readRecurrence(
  level: Level,
  kind: BrCodeKind,
  payment: Fields,
  onTolerable: IssueHandler,
): string | undefined {
  try {
    const template = findRecurrence(level, onTolerable)
    if (!template) return undefined

    const recurrence = createReader(template, onTolerable)(rules.RECURRENCE)
    requireRecurrence({ ...payment, recurrence }, template.parent)
    return recurrence
  } catch (error) {
    if (!(error instanceof BrCodeError)) throw error
    if (!isPaidWithoutRecurrence(kind, payment)) throw error

    const { code, path, offset, expected, found } = error
    onTolerable({ code, path, offset, expected, found })
    return undefined
  }
}

/**
 * Whether a code is paid although its recurrence is wrong. A withdrawal is never beside a
 * recurrence (2.8.4.1), so it is not paid without it either.
 */
function isPaidWithoutRecurrence(kind: BrCodeKind, { withdrawalFacilitator }: Fields): boolean {
  const hasOwnPayment = kind === 'static' || kind === 'due-date'
  return hasOwnPayment && !withdrawalFacilitator
}

/**
 * Removes the values that a reader must ignore in a code without a key, such as its amount, which
 * the charge at the location has (2.7). Returns the paths of their objects.
 */
function removeValuesOfStatic(fields: Fields, account: string): string[] {
  const ignored: string[] = []
  for (const { field, path } of STATIC_ONLY) {
    if (!fields[field]) continue

    fields[field] = undefined
    // `26-02` is `27-02` if the template of the account has the id 27.
    ignored.push(path.replace('26', account))
  }
  return ignored
}
