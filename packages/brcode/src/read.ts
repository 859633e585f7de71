import { reader } from './apply-rules.ts'
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
  const root = reader(level, tolerate)
  const own = reader(account, tolerate)
  root(rules.FORMAT)
  root(rules.CURRENCY)
  root(rules.COUNTRY)
  const named = {
    key: own(rules.KEY),
    location: own(rules.LOCATION),
    recurrence: recurrence && reader(recurrence, tolerate)(rules.RECURRENCE),
    withdrawalFacilitator: own(rules.FACILITATOR),
  }
  const kind = kindOf(named, account.parent, recurrence?.parent)
  const read = {
    kind,
    account: account.parent.id,
    ...named,
    amount: root(kind === 'static' ? rules.AMOUNT : rules.AMOUNT_IGNORED),
    txid: reader(extra, tolerate)(rules.TXID),
    message: own(rules.MESSAGE),
    merchantName: root(rules.NAME),
    merchantCity: root(rules.CITY),
    merchantCategory: root(rules.CATEGORY),
    postalCode: root(rules.POSTAL_CODE),
    pointOfInitiation: root(rules.POINT),
    objects: level.objects,
    ignored: [] as string[],
    issues,
  }
  if (kind === 'static') checkAmount(read, level.at[54]?.offset, tolerate)
  else read.ignored = dropStatic(read, account.parent.id)
  // The rules guarantee the type: mandatory fields are present, and each kind has its own fields.
  return read as BrCode
}

/** Objects that must be empty in a code without a key, and that a reader must ignore (2.7). */
function dropStatic(fields: Fields, account: string): string[] {
  const ignored: string[] = []
  for (const [field, path] of STATIC_ONLY) {
    if (!fields[field]) continue
    fields[field] = undefined
    ignored.push(path.replace('26', account))
  }
  return ignored
}
