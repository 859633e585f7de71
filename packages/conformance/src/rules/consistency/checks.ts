import type { RequestContext } from '../../causes/cause.ts'
import { findCharge } from '../../causes/codes.ts'
import { findOnlyItem, stringAt, valueAt } from '../../contract/json.ts'
import { addDays, centavosOf, dayAt, isCalculableDay, reaisOf } from '../../model/amounts.ts'
import type { Exchange } from '../../model/exchange.ts'
import { type KnownRecord, type PossibleValue, readCertainValue } from '../../model/records.ts'
import { compareTaxIds } from '../../model/tax-ids.ts'
import { hasCertainTime } from '../../model/unknown.ts'
import { citeEarlier, type RuleContext } from '../rule.ts'
import { compareDueDates, compareShownKeys } from './comparisons.ts'

/** Expects that the check of a code agrees with itself, with the record of the code, and with its key. */
export function expectConsistentCheck(context: RuleContext): void {
  const { operation, outcome } = context.exchange
  if (operation?.id !== 'checkCode' || outcome !== 'accepted') return

  expectSumOfParts(context)
  expectAmountOfRecord(context)
  expectKeyOfRecord(context)
  expectDueDateOfRecord(context)
  expectOwnerOfKey(context)
}

/** Reads the payment code that a request checks. */
function readCheckedCode({ requestBody }: Exchange): string {
  return stringAt(requestBody, '/emv') ?? ''
}

/** The parts of an amount, each with its sign: -1 if it is taken off the original amount. */
const SIGN_BY_PART = { deduction: -1n, discount: -1n, fine: 1n, interest: 1n } as const
type PartName = keyof typeof SIGN_BY_PART

/** A part that a check shows: of a discount of 5.00, `{ name: 'discount', centavos: -500n }`. */
interface ShownPart {
  readonly name: PartName
  /** What it adds to the original amount; negative if it is taken off. */
  readonly centavos: bigint
}

/** What a check shows of a charge, and the request that created it. */
interface ShownAmounts {
  readonly original: bigint
  readonly final: bigint
  readonly parts: readonly ShownPart[]
  readonly created: Exchange | undefined
  /** The original amount that the record of the code shows. */
  readonly originalOfRecord: bigint | undefined
  readonly due: string | undefined
  /** The day of the check in Brazil, such as `2026-11-29`; undefined if only a recorder's clock says that. */
  readonly day: string | undefined
}

/**
 * Expects that the final amount of a code's check is the original amount with the deduction, discount,
 * fine and interest that it shows. A sum that a service may have reasons for is not judged.
 */
function expectSumOfParts({ exchange, model, report }: RuleContext): void {
  const amounts = readAmounts({ exchange, model })
  if (!amounts || amounts.parts.length === 0) return

  const fault = findPartsFault(amounts)
  if (fault === UNKNOWN) return

  const final = reaisOf(amounts.final)
  report.expect(
    fault === AGREES,
    {
      evidence: exchange,
      cites: citeEarlier(exchange.trace, `it shows the parts of ${final}`),
      about: fault,
    },
    () => `checkCode shows final_amount as ${final}, which ${fault}.`,
  )
}

/** Reads what a check shows of a charge; undefined if it lacks one of the two amounts. */
function readAmounts({ exchange, model }: RequestContext): ShownAmounts | undefined {
  const { responseBody } = exchange
  const original = centavosOf(stringAt(responseBody, '/original_amount'))
  const final = centavosOf(stringAt(responseBody, '/final_amount'))
  if (original === undefined || final === undefined) return undefined

  const charge = findCharge(readCheckedCode(exchange), { exchange, model })
  const amountOfRecord = charge && readCertainValue(charge, 'amount')
  return {
    original,
    final,
    parts: readParts(responseBody),
    created: charge?.created,
    originalOfRecord: centavosOf(stringAt(amountOfRecord, '/original')),
    due: stringAt(responseBody, '/due_date'),
    day: hasCertainTime(exchange) ? dayAt(exchange.trace.time) : undefined,
  }
}

/**
 * Reads the parts of an amount that a check shows and that are not zero, with what each adds in centavos:
 * `[{ name: 'discount', centavos: -500n }]`.
 */
function readParts(shown: unknown): readonly ShownPart[] {
  const parts: ShownPart[] = []
  for (const name of Object.keys(SIGN_BY_PART) as PartName[]) {
    const centavos = centavosOf(stringAt(shown, `/${name}`)) ?? 0n
    if (centavos !== 0n) parts.push({ name, centavos: SIGN_BY_PART[name] * centavos })
  }
  return parts
}

const AGREES = ''
/** What a check shows is not enough to judge it. */
const UNKNOWN = undefined

/**
 * Finds how a final amount contradicts its parts, as the end of a sentence: `counts fine twice`. Returns
 * `AGREES` if it is a possible sum, and `UNKNOWN` if a part may be a rate, so that no sum is certain.
 */
function findPartsFault(amounts: ShownAmounts): string | typeof AGREES | typeof UNKNOWN {
  const { original, final, parts } = amounts
  const sums = listSums(original, parts)
  if (sums.includes(final)) return findPartLeftOut(amounts)

  const fixedParts = parts.filter((part) => isFixed(part, amounts))
  const countedTwice = fixedParts.find(({ centavos }) => sums.includes(final - centavos))
  if (countedTwice) return `counts ${countedTwice.name} twice`

  const mayShowRates = fixedParts.length < parts.length
  if (mayShowRates || leavesNothing(amounts)) return UNKNOWN
  if (listSumsOfRates(original, parts).includes(final)) return UNKNOWN
  return 'no choice of its parts adds up to'
}

/** Finds a part that applies, and that a possible sum leaves out all the same. */
function findPartLeftOut(amounts: ShownAmounts): string | typeof AGREES {
  if (leavesOut('deduction', amounts)) return 'leaves out the deduction'
  if (leavesOut('discount', amounts)) return 'leaves out the discount'
  if (leavesOutFine(amounts)) return 'leaves out the fine'
  return AGREES
}

/** The modality of a part that is a value in reais. */
const VALUE_MODALITY = '1'

/**
 * Whether a part is the same on each day: by its creation, its modality is a value, not a rate. Of a
 * rate, a service may show the percentage. Interest grows each day.
 */
function isFixed({ name }: ShownPart, { created }: ShownAmounts): boolean {
  if (name === 'interest') return false
  return valueAt(created?.requestBody, `/amount/${name}/modality`) === VALUE_MODALITY
}

/** Whether a deduction or a discount is shown, certainly applies, and is not taken off the final amount. */
function leavesOut(name: 'deduction' | 'discount', amounts: ShownAmounts): boolean {
  const { original, final, parts, created } = amounts
  const reduction = parts.find((part) => part.name === name)
  if (!reduction || !isFixed(reduction, amounts)) return false
  if (name === 'discount' && !isDiscountOpen(amounts)) return false

  // Another original amount may have the reduction taken off already.
  const originalOfCreation = centavosOf(stringAt(created?.requestBody, '/amount/original'))
  if (original !== originalOfCreation || leavesNothing(amounts)) return false

  const others = parts.filter((part) => part !== reduction)
  const sumsWithReduction = listSums(original + reduction.centavos, others)
  const mayBeTakenOff = sumsWithReduction.includes(final)
  return !mayBeTakenOff
}

/** So many days after its due date, a charge is overdue, whatever days the service counts. */
const CERTAINLY_OVERDUE_DAYS = 10
/** Of this original amount in centavos, the smallest rate is a centavo. */
const SHOWS_ANY_RATE = 10_000n

/** Whether a fine is shown of a charge that is certainly overdue, and only the original amount is due. */
function leavesOutFine(amounts: ShownAmounts): boolean {
  const { original, final, parts, originalOfRecord } = amounts
  const isFined = parts.some(({ name }) => name === 'fine')
  const isReduced = parts.some(({ centavos }) => centavos < 0n)
  if (!isFined || isReduced || !isCertainlyOverdue(amounts)) return false
  // Of a smaller amount, a fine may round to nothing.
  if (original < SHOWS_ANY_RATE) return false

  return final === original && original === originalOfRecord
}

function isCertainlyOverdue({ due, day }: ShownAmounts): boolean {
  if (day === undefined || due === undefined || !isCalculableDay(due)) return false
  return addDays(due, CERTAINLY_OVERDUE_DAYS) < day
}

/** Whether all dates until which a charge has a discount are still to come. */
function isDiscountOpen({ created, day }: ShownAmounts): boolean {
  if (day === undefined) return false

  const dates = valueAt(created?.requestBody, '/amount/discount/fixedDateDiscount')
  if (!Array.isArray(dates) || dates.length === 0) return false
  return dates.every((discount) => {
    const date = stringAt(discount, '/date')
    return date !== undefined && date > day
  })
}

/** Whether the reductions leave nothing to pay. Nobody says what is due then. */
function leavesNothing({ original, parts }: ShownAmounts): boolean {
  let left = original
  for (const { centavos } of parts) if (centavos < 0n) left += centavos
  return left <= 0n
}

/** Lists the original amount with each choice of the parts: 1000 and a fine of 20 give 1000 and 1020. */
function listSums(original: bigint, parts: readonly ShownPart[]): bigint[] {
  let sums = [original]
  for (const { centavos } of parts) sums = [...sums, ...sums.map((sum) => sum + centavos)]
  return sums
}

/**
 * Lists every final amount that is possible if each part may be left out, may be an amount, or may be a
 * percentage of the original amount, rounded in any way: of 1000 and a part of 200, which is 2.00 or 2
 * percent, 1000, 1200 and 1019 to 1021. All are in centavos.
 */
function listSumsOfRates(original: bigint, parts: readonly ShownPart[]): bigint[] {
  let sums = [original]
  for (const { centavos } of parts) {
    // A percentage has two decimals: 200 is 2 percent.
    const percentage = (original * centavos) / 10_000n
    const choices = [0n, centavos, percentage - 1n, percentage, percentage + 1n]
    sums = sums.flatMap((sum) => choices.map((choice) => sum + choice))
  }
  return sums
}

/**
 * Expects that the check of a code without fine, discount or other parts shows the amount that an earlier
 * response showed of its record, such as the one that created it.
 */
function expectAmountOfRecord({ exchange, model, report }: RuleContext): void {
  const { responseBody } = exchange
  const amount = findShownValue(findOnlyRecord({ exchange, model }), 'amount')
  if (!amount || readParts(responseBody).length > 0) return

  const { value, by } = amount
  // A static code shows its amount as a string, and a charge in an object.
  const textOfRecord = typeof value === 'string' ? value : stringAt(value, '/original')
  const amountOfRecord = centavosOf(textOfRecord)
  const leavesAmountToPayer = amountOfRecord === 0n
  if (amountOfRecord === undefined || leavesAmountToPayer) return

  const fault = findAmountFault(responseBody, amountOfRecord)
  if (fault === UNKNOWN) return

  report.expect(
    fault === AGREES,
    {
      evidence: exchange,
      cites: citeEarlier(by, `${by.operation} shows ${reaisOf(amountOfRecord)}`),
      about: fault,
    },
    () =>
      `checkCode shows ${stringAt(responseBody, '/final_amount')} for a code of which ${by.operation} shows ${reaisOf(amountOfRecord)}.`,
  )
}

/** Finds how the amounts of a check contradict that of its record. `UNKNOWN` if one of both is missing. */
function findAmountFault(
  check: unknown,
  amountOfRecord: bigint,
): 'amount of record' | 'fraction of a centavo' | typeof AGREES | typeof UNKNOWN {
  const original = centavosOf(stringAt(check, '/original_amount'))
  const shownFinal = stringAt(check, '/final_amount')
  if (original === undefined || shownFinal === undefined) return UNKNOWN

  const final = centavosOf(shownFinal)
  if (final === undefined) {
    // No record has a fraction of a centavo.
    const isFraction = /^\d+\.\d+$/.test(shownFinal)
    return isFraction ? 'fraction of a centavo' : UNKNOWN
  }

  const isAmountOfRecord = final === amountOfRecord || original === amountOfRecord
  return isAmountOfRecord ? AGREES : 'amount of record'
}

/** Expects that the check of a code shows the key that an earlier response showed of its record. */
function expectKeyOfRecord({ exchange, model, report }: RuleContext): void {
  const key = findShownValue(findOnlyRecord({ exchange, model }), 'dict_key')
  if (!key) return

  const { value, by } = key
  const shown = stringAt(exchange.responseBody, '/beneficiary/dict_key')
  const comparison = compareShownKeys(shown, String(value))
  if (comparison === 'unknown') return

  report.expect(
    comparison === 'same',
    {
      evidence: exchange,
      cites: citeEarlier(by, `${by.operation} shows another key`),
      about: 'key of record',
    },
    () => `checkCode shows another key of a code than ${by.operation} has shown.`,
  )
}

/** Expects that the check of a charge shows the due date that an earlier response showed of its record. */
function expectDueDateOfRecord({ exchange, model, report }: RuleContext): void {
  const charge = findCharge(readCheckedCode(exchange), { exchange, model })
  const calendar = findShownValue(charge, 'calendar')
  if (!calendar) return

  const { value, by } = calendar
  const due = stringAt(exchange.responseBody, '/due_date')
  const expected = stringAt(value, '/due_date')
  const comparison = compareDueDates(due, expected)
  if (comparison === 'unknown') return

  report.expect(
    comparison === 'same',
    {
      evidence: exchange,
      cites: citeEarlier(by, `${by.operation} shows the due date ${expected}`),
      about: 'due date',
    },
    () => `checkCode shows the due date ${due}, where ${by.operation} shows ${expected}.`,
  )
}

/** Finds the record of the code that a request checks; undefined if none or several have this code. */
function findOnlyRecord({ exchange, model }: RequestContext): KnownRecord | undefined {
  return findOnlyItem(model.records.findByCode(readCheckedCode(exchange)))
}

/**
 * Finds the value that an earlier response showed of a field. Undefined if the field may have several, or
 * one that a request sent and the service has not shown.
 */
function findShownValue(record: KnownRecord | undefined, name: string): PossibleValue | undefined {
  const value = findOnlyItem(record?.fields.get(name) ?? [])
  return value?.isSent ? undefined : value
}

/**
 * Expects that the check of a code shows as its receiver the person whom an earlier look-up showed as the
 * owner of the code's key.
 */
function expectOwnerOfKey({ exchange, model, report }: RuleContext): void {
  const sources = model.sources.listSources(exchange)
  const lookUp = sources.find(({ operation }) => operation?.id === 'checkKey')
  if (!lookUp) return

  const owner = stringAt(lookUp.responseBody, '/owner_document') ?? ''
  const receiver = stringAt(exchange.responseBody, '/beneficiary/tax_id') ?? ''
  const comparison = compareTaxIds(owner, receiver)
  if (comparison === 'unknown') return

  report.expect(
    comparison === 'same',
    {
      evidence: exchange,
      cites: citeEarlier(lookUp.trace, 'checkKey shows another owner of the key'),
      about: 'owner of key',
    },
    () => 'checkCode shows another receiver of a code than checkKey shows as the owner of its key.',
  )
}
