import type { RequestContext } from '../../causes/cause.ts'
import { findCharge } from '../../causes/codes.ts'
import { isSameKey } from '../../causes/keys.ts'
import { isFilled, stringAt, valueAt } from '../../contract/json.ts'
import { addDays, centavosOf, dayAt, isCalculableDay, reaisOf } from '../../model/amounts.ts'
import type { Exchange } from '../../model/exchange.ts'
import { type Allowed, type KnownRecord, readCertainValue } from '../../model/records.ts'
import { compareTaxIds } from '../../model/tax-ids.ts'
import { citeEarlier, type RuleContext } from '../rule.ts'

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
  /** The day of the check in Brazil, such as `2026-11-29`. */
  readonly day: string
}

/**
 * Expects that the final amount of a code's check is the original amount with the deduction, discount,
 * fine and interest that it shows. A sum that a service may have reasons for is not judged.
 */
function expectSumOfParts({ exchange, model, report }: RuleContext): void {
  const { responseBody } = exchange
  const original = centavosOf(stringAt(responseBody, '/original_amount'))
  const final = centavosOf(stringAt(responseBody, '/final_amount'))
  const parts = readParts(responseBody)
  if (original === undefined || final === undefined || parts.length === 0) return

  const charge = findCharge(readCheckedCode(exchange), { exchange, model })
  const fault = findPartsFault({
    original,
    final,
    parts,
    created: charge?.created,
    originalOfRecord:
      charge && centavosOf(stringAt(readCertainValue(charge, 'amount'), '/original')),
    due: stringAt(responseBody, '/due_date'),
    day: dayAt(exchange.trace.time),
  })
  if (fault === UNKNOWN) return

  report.expect(
    fault === AGREES,
    {
      evidence: exchange,
      cites: citeEarlier(exchange.trace, `it shows the parts of ${reaisOf(final)}`),
      about: fault,
    },
    () => `checkCode shows final_amount as ${reaisOf(final)}, which ${fault}.`,
  )
}

/**
 * Reads the parts of an amount that a check shows and that are not zero, with what each adds in centavos:
 * `[{ name: 'discount', centavos: -500n }]`.
 */
function readParts(shown: unknown): readonly ShownPart[] {
  const names = Object.keys(SIGN_BY_PART) as PartName[]
  const parts = names.map((name) => {
    const centavos = centavosOf(stringAt(shown, `/${name}`)) ?? 0n
    return { name, centavos: SIGN_BY_PART[name] * centavos }
  })
  return parts.filter(({ centavos }) => centavos !== 0n)
}

const AGREES = ''
/** Nobody knows whether a rate is shown, or an amount. */
const UNKNOWN = undefined

/**
 * Finds how a final amount contradicts its parts, as the end of a sentence: `counts fine twice`. Returns
 * `AGREES` if it is a possible sum, and `UNKNOWN` if a part may be a rate, so that no sum is certain.
 */
function findPartsFault(amounts: ShownAmounts): string | typeof AGREES | typeof UNKNOWN {
  const { original, final, parts } = amounts
  const sums = listSums(original, parts)

  // A sum is possible with any choice of the parts, but a reduction that applies must be taken off.
  if (sums.includes(final)) {
    const leftOut = REDUCTIONS.find((name) => leavesOut(name, amounts))
    if (leftOut !== undefined) return `leaves out the ${leftOut}`
    return leavesOutFine(amounts) ? 'leaves out the fine' : AGREES
  }

  const fixedParts = parts.filter((part) => isFixed(part, amounts))
  const countedTwice = fixedParts.find(({ centavos }) => sums.includes(final - centavos))
  if (countedTwice) return `counts ${countedTwice.name} twice`

  const mayShowRates = fixedParts.length < parts.length
  const isExplicable =
    mayShowRates || leavesNothing(amounts) || listSumsOfRates(original, parts).includes(final)
  return isExplicable ? UNKNOWN : 'no choice of its parts adds up to'
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

const REDUCTIONS = ['deduction', 'discount'] as const

/**
 * Whether a deduction or a discount is shown, certainly applies, and is not taken off the final amount.
 * A shown original amount may have it taken off already: only that of the creation certainly has not.
 */
function leavesOut(name: PartName, amounts: ShownAmounts): boolean {
  const { original, final, parts, created } = amounts
  const reduction = parts.find((part) => part.name === name)
  if (!reduction || !isFixed(reduction, amounts)) return false
  if (name === 'discount' && !isDiscountOpen(amounts)) return false

  const isOriginalOfCreation =
    original === centavosOf(stringAt(created?.requestBody, '/amount/original'))
  if (!isOriginalOfCreation || leavesNothing(amounts)) return false

  const others = parts.filter((part) => part !== reduction)
  const sumsWithReduction = listSums(original + reduction.centavos, others)
  return !sumsWithReduction.includes(final)
}

/** So many days after its due date, a charge is overdue, whatever days the service counts. */
const CERTAINLY_OVERDUE_DAYS = 10
/** Of this original amount in centavos, the smallest rate is a centavo. */
const SHOWS_ANY_RATE = 10_000n

/** Whether a fine is shown of a charge that is certainly overdue, and only the original amount is due. */
function leavesOutFine(amounts: ShownAmounts): boolean {
  const { original, final, parts, originalOfRecord, due, day } = amounts
  const isFined = parts.some(({ name }) => name === 'fine')
  const isReduced = parts.some(({ centavos }) => centavos < 0n)
  // Of a smaller amount, a fine may round to nothing.
  const isTooSmall = original < SHOWS_ANY_RATE
  if (!isFined || isReduced || isTooSmall) return false
  if (due === undefined || !isCalculableDay(due)) return false

  const isOverdue = addDays(due, CERTAINLY_OVERDUE_DAYS) < day
  return isOverdue && final === original && original === originalOfRecord
}

/** Whether all dates until which a charge has a discount are still to come. */
function isDiscountOpen({ created, day }: ShownAmounts): boolean {
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
  const amountOfRecord = centavosOf(
    typeof value === 'string' ? value : stringAt(value, '/original'),
  )
  const original = centavosOf(stringAt(responseBody, '/original_amount'))
  const shownFinal = stringAt(responseBody, '/final_amount') ?? ''
  const final = centavosOf(shownFinal)
  // No record has a fraction of a centavo.
  const isFraction = final === undefined && /^\d+\.\d+$/.test(shownFinal)
  // A record of zero leaves the amount to the payer.
  if (!amountOfRecord || original === undefined) return
  if (final === undefined && !isFraction) return

  const agrees = !isFraction && (final === amountOfRecord || original === amountOfRecord)
  report.expect(
    agrees,
    {
      evidence: exchange,
      cites: citeEarlier(by, `${by.operation} shows ${reaisOf(amountOfRecord)}`),
      about: isFraction ? 'fraction of a centavo' : 'amount of record',
    },
    () =>
      `checkCode shows ${shownFinal} for a code of which ${by.operation} shows ${reaisOf(amountOfRecord)}.`,
  )
}

/**
 * Expects that the check of a code shows the key that an earlier response showed of its record, in whatever
 * notation. A masked key is not compared.
 */
function expectKeyOfRecord({ exchange, model, report }: RuleContext): void {
  const key = findShownValue(findOnlyRecord({ exchange, model }), 'dict_key')
  if (!key) return

  const { value, by } = key
  const shown = stringAt(exchange.responseBody, '/beneficiary/dict_key') ?? ''
  const isKeyOfRecord = isSameShownKey(shown, String(value))
  if (isKeyOfRecord === undefined) return

  report.expect(
    isKeyOfRecord,
    {
      evidence: exchange,
      cites: citeEarlier(by, `${by.operation} shows another key`),
      about: 'key of record',
    },
    () => `checkCode shows another key of a code than ${by.operation} has shown.`,
  )
}

/** Whether two responses show one key, in whatever notation; undefined if one of both is empty or masked. */
export function isSameShownKey(one: string, other: string): boolean | undefined {
  const isMasked = (one + other).includes('*')
  if (!isFilled(one) || !isFilled(other) || isMasked) return undefined
  return isSameKey(withoutCountry(one), withoutCountry(other))
}

/** Removes the country of a telephone number, which a service may leave out: `+5511…` becomes `11…`. */
function withoutCountry(key: string): string {
  return key.trim().replace(/^\+55/, '')
}

/**
 * Expects that the check of a charge shows the due date that an earlier response showed of its record.
 * Two dates in different notations, such as `2026-11-29` and `29/11/2026`, are not compared.
 */
function expectDueDateOfRecord({ exchange, model, report }: RuleContext): void {
  const charge = findCharge(readCheckedCode(exchange), { exchange, model })
  const calendar = findShownValue(charge, 'calendar')
  if (!calendar) return

  const { value, by } = calendar
  const due = stringAt(exchange.responseBody, '/due_date')
  const expected = stringAt(value, '/due_date')
  if (!due || !expected || hideDigits(due) !== hideDigits(expected)) return

  report.expect(
    due === expected,
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
  const [record, ...others] = model.records.findByCode(readCheckedCode(exchange))
  return others.length === 0 ? record : undefined
}

/**
 * Finds the value that an earlier response showed of a field. Undefined if the field may have several, or
 * one that a request sent and the service has not shown.
 */
function findShownValue(record: KnownRecord | undefined, name: string): Allowed | undefined {
  const [value, ...others] = record?.fields.get(name) ?? []
  const isCertain = others.length === 0
  return isCertain && !value?.isSent ? value : undefined
}

/** Replaces each digit by 0, so that two notations can be compared: `0000-00-00`. */
function hideDigits(date: string): string {
  return date.replaceAll(/\d/g, '0')
}

/**
 * Expects that the check of a code shows as its receiver the person whom an earlier look-up showed as the
 * owner of the code's key. Masked tax IDs are compared as far as they can be.
 */
function expectOwnerOfKey({ exchange, model, report }: RuleContext): void {
  const lookUp = model.sources
    .listSources(exchange)
    .find(({ operation }) => operation?.id === 'checkKey')
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
