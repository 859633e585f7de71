import { createReader } from './apply-rules.ts'
import type { Issue, Report } from './error.ts'
import type { BrCode, Fields } from './fields.ts'
import { checkAmount, kindOf, STATIC_ONLY } from './kind.ts'
import * as rules from './object-rules.ts'
import { accountOf, extraOf, recurrenceOf } from './templates.ts'
import type { Level } from './tlv.ts'

/** Converts objects to fields and validates them. */
export function readFields(level: Level, tolerate: Report, issues: readonly Issue[]): BrCode {
  const account = accountOf(level, tolerate)
  const recurrence = recurrenceOf(level, tolerate)
  const extra = extraOf(level)

  const readRoot = createReader(level, tolerate)
  const readAccount = createReader(account, tolerate)
  const readExtra = createReader(extra, tolerate)

  // The order of the values is the order of the issues.
  readRoot(rules.FORMAT)
  readRoot(rules.CURRENCY)
  readRoot(rules.COUNTRY)

  const kindFields = {
    key: readAccount(rules.KEY),
    location: readAccount(rules.LOCATION),
    recurrence: recurrence && createReader(recurrence, tolerate)(rules.RECURRENCE),
    withdrawalFacilitator: readAccount(rules.FACILITATOR),
  }
  const kind = kindOf(kindFields, account.parent, recurrence?.parent)

  const fields = {
    kind,
    account: account.parent.id,
    ...kindFields,
    amount: readRoot(kind === 'static' ? rules.AMOUNT : rules.AMOUNT_IGNORED),
    txid: readExtra(rules.TXID),
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
  if (kind === 'static') checkAmount(fields, level.at[54]?.offset, tolerate)
  else fields.ignored = dropStatic(fields, account.parent.id)

  // The rules guarantee the type: mandatory fields are present, and each kind has its own fields.
  return fields as BrCode
}

/**
 * Removes the values that must be empty in a code without a key, and that a reader must ignore
 * (2.7). Returns the paths of their objects.
 */
function dropStatic(fields: Fields, account: string): string[] {
  const ignored: string[] = []
  for (const { field, path } of STATIC_ONLY) {
    if (!fields[field]) continue

    fields[field] = undefined
    ignored.push(path.replace('26', account))
  }
  return ignored
}
