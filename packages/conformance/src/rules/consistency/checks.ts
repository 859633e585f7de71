import { tryDecode } from '@partner-payments/brcode'
import type { RequestContext } from '../../causes/cause.ts'
import { findCharge, mayBeExpired } from '../../causes/codes.ts'
import { findOnlyItem, stringAt, valueAt } from '../../contract/json.ts'
import { OPEN } from '../../contract/words.ts'
import { addDays, centavosOf, dayAt, isCalculableDay, reaisOf } from '../../model/amounts.ts'
import { readKindWord } from '../../model/consistency.ts'
import { type Exchange, isValid } from '../../model/exchange.ts'
import {
  hasConcurrentWrite,
  type KnownRecord,
  type PossibleValue,
  readCertainValue,
} from '../../model/records.ts'
import { compareTaxIds } from '../../model/tax-ids.ts'
import { hasCertainTime } from '../../model/unknown.ts'
import { citeEarlier, type RuleContext } from '../rule.ts'
import { compareTxIds } from '../tx-ids.ts'
import { compareDueDates, compareShownKeys } from './comparisons.ts'

/** Expects that the check of a code agrees with itself, with the record of the code, and with its key. */
export function expectConsistentCheck(context: RuleContext): void {
  const { operation, outcome } = context.exchange
  if (operation?.id !== 'checkCode') return
  if (outcome === 'refused') reportRefusedOwnCode(context)
  if (outcome !== 'accepted') return

  expectSumOfParts(context)
  expectAmountOfRecord(context)
  expectKeyOfRecord(context)
  expectTxIdOfRecord(context)
  expectKindOfCode(context)
  expectDueDateOfRecord(context)
  expectOwnerOfKey(context)
}

/**
 * Reports the refusal of an open code that the service itself has created, and whose checksum is wrong: nobody
 * can pay it. Of a code with a right checksum, the service may refuse the check for a reason of its own.
 */
function reportRefusedOwnCode({ exchange, model, report }: RuleContext): void {
  if (!isValid(exchange)) return

  const emv = readCheckedCode(exchange)
  const record = findOnlyItem(model.records.findByCode(emv))
  const creation = record?.created?.operation
  if (!record || !creation || !hasWrongChecksum(emv)) return
  if (!isCertainlyOpen(record, { exchange, model })) return

  const message = `checkCode refuses the payment code that ${creation.id} shows: its checksum is wrong.`
  const cites = citeEarlier(exchange.trace, `checkCode refuses what ${creation.id} shows`)
  report.failed(exchange, cites, message, { operation: creation.id, about: 'own code refused' })
}

function hasWrongChecksum(emv: string): boolean {
  const decoded = tryDecode(emv, { profile: 'lenient' })
  return !decoded.ok && decoded.error.code === 'crc'
}

/** Whether a code can certainly be paid: it is static, or its charge is neither paid, cancelled nor expired. */
function isCertainlyOpen(record: KnownRecord, context: RequestContext): boolean {
  const isStatic = record.kind.resource.states === undefined
  if (isStatic) return true

  if (hasConcurrentWrite(context.exchange, record) || mayBeExpired(record, context)) return false
  return readCertainValue(record, 'status') === OPEN
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
 * Expects that the final amount of a code's check is the original amount with the deduction, discount, fine and
 * interest that it shows: 95.00 for an original amount of 100.00 and a discount of 5.00. Does nothing if the
 * check shows no such part, or if nobody can say what the sum must be.
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

/**
 * Reads what the check of a code shows of its amounts, with what was known of its charge before. Undefined if the
 * check lacks the original or the final amount.
 */
function readAmounts({ exchange, model }: RequestContext): ShownAmounts | undefined {
  const { responseBody } = exchange
  const original = centavosOf(stringAt(responseBody, '/original_amount'))
  const final = centavosOf(stringAt(responseBody, '/final_amount'))
  if (original === undefined || final === undefined) return undefined

  // Undefined for a static code, and for one that the history did not show before.
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

/** In place of a fault: what a check shows is right. */
const AGREES = ''
/** In place of a fault: what a check shows is not enough to judge it. */
const UNKNOWN = undefined

/**
 * Finds how a final amount contradicts its parts, for a message that ends with it: `…, which counts fine twice`.
 * `AGREES` if it is a possible sum, and `UNKNOWN` if nobody can say what the sum is.
 *
 * @example
 * // Of 100.00 with a fine of 2.00: 102.00 agrees, 100.00 too while the fine is not due, and 104.00
 * // `counts fine twice`.
 */
function findPartsFault(amounts: ShownAmounts): string | typeof AGREES | typeof UNKNOWN {
  const { original, final, parts } = amounts
  // A part that does not apply yet, such as a fine before the due date, may be left out.
  const sums = listSums(original, parts)
  if (sums.includes(final)) return findPartLeftOut(amounts)

  const fixedParts = parts.filter((part) => isFixed(part, amounts))
  const countedTwice = fixedParts.find(({ centavos }) => sums.includes(final - centavos))
  if (countedTwice) return `counts ${countedTwice.name} twice`
  const takenTwice = findReductionTakenTwice(amounts)
  if (takenTwice) return `counts ${takenTwice} twice`

  // Nobody can say the sum if a part may be a rate, or if the reductions leave nothing to pay.
  const mayShowRates = fixedParts.length < parts.length
  if (mayShowRates || leavesNothing(amounts)) return UNKNOWN
  // The service may show a percentage although an amount was created.
  if (listSumsOfRates(original, parts).includes(final)) return UNKNOWN

  return 'no choice of its parts adds up to'
}

/** Finds a part that certainly applies, and that the final amount leaves out all the same; else `AGREES`. */
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

/**
 * Finds a deduction, or a discount until a date, that is taken off twice, whatever the service calls its modality: the
 * discount if 90.00 is left of 100.00 with a discount of 5.00. Undefined if it may be a percentage or grow by
 * the day, and if the charge may have another part, which the service takes off without showing it.
 */
function findReductionTakenTwice(amounts: ShownAmounts): PartName | undefined {
  const { original, final, parts, created } = amounts
  const [part, ...otherParts] = parts
  if (!created || !part || otherParts.length > 0) return undefined

  const deduction = valueAt(created.requestBody, '/amount/deduction')
  const discount = valueAt(created.requestBody, '/amount/discount')
  const isOnlyDeduction = part.name === 'deduction' && discount === undefined
  const isOnlyDiscount = part.name === 'discount' && deduction === undefined
  if (!isOnlyDeduction && !(isOnlyDiscount && hasOneDate(discount))) return undefined

  const mayBeRate = listReducedAmounts(original, part).includes(final)
  const isTakenTwice = final === original + 2n * part.centavos
  return isTakenTwice && !mayBeRate ? part.name : undefined
}

/** Whether a discount is one amount until one date, not one for each day before the due date. */
function hasOneDate(discount: unknown): boolean {
  const dates = valueAt(discount, '/fixedDateDiscount')
  const isByDay = valueAt(discount, '/amount') !== undefined
  return Array.isArray(dates) && dates.length === 1 && !isByDay
}

/**
 * Whether a deduction or a discount is shown, certainly applies, and is not taken off the final amount: 100.00
 * of 100.00 with a discount of 5.00. False if its time may be over, or if it may be a rate: only the one part of an
 * amount says enough then.
 */
function leavesOut(name: 'deduction' | 'discount', amounts: ShownAmounts): boolean {
  const { original, final, parts, created } = amounts
  const reduction = parts.find((part) => part.name === name)
  if (!reduction) return false
  if (name === 'discount' && !isDiscountOpen(amounts)) return false

  const mayBeRate = !isFixed(reduction, amounts)
  const isOnlyPart = parts.length === 1
  if (mayBeRate && !isOnlyPart) return false

  // If the check shows another original amount than was sent, the reduction may be taken off that already.
  const originalOfCreation = centavosOf(stringAt(created?.requestBody, '/amount/original'))
  const mayBeReducedAlready = original !== originalOfCreation
  if (mayBeReducedAlready || leavesNothing(amounts)) return false

  if (mayBeRate) return !listReducedAmounts(original, reduction).includes(final)

  // What may be due with the reduction, whichever of the other parts apply.
  const others = parts.filter((part) => part !== reduction)
  const sumsWithReduction = listSums(original + reduction.centavos, others)
  const mayBeTakenOff = sumsWithReduction.includes(final)
  return !mayBeTakenOff
}

/** Lists what a reduction may leave that is shown as an amount or as a percentage: of 50.00 and 20.00, 30.00 or 40.00. */
function listReducedAmounts(original: bigint, reduction: ShownPart): bigint[] {
  return listChoices(original, reduction).map((choice) => original + choice)
}

/** So many days after its due date, a charge is overdue, whatever days the service counts. */
const CERTAINLY_OVERDUE_DAYS = 10
/** The smallest rate is 0.01 percent, and that is a centavo of this amount, in centavos. */
const LEAST_AMOUNT_OF_FINE = 10_000n

/**
 * Whether a fine is shown of a charge that is certainly overdue, and still the original amount alone is due, or that
 * with the interest. A due-date code has a fine after its due date.
 */
function leavesOutFine(amounts: ShownAmounts): boolean {
  const { original, final, parts, originalOfRecord } = amounts
  const fine = parts.find(({ name }) => name === 'fine')
  const isReduced = parts.some(({ centavos }) => centavos < 0n)
  if (fine === undefined || isReduced || !isCertainlyOverdue(amounts)) return false
  // Of a smaller amount, a fine that is a rate may be less than a centavo.
  if (original < LEAST_AMOUNT_OF_FINE || original !== originalOfRecord) return false
  if (final === original) return true

  // A rate may be shown as a percentage, which the final amount has in another way.
  const interest = parts.find(({ name }) => name === 'interest')
  if (interest === undefined || !isFixed(fine, amounts)) return false
  // If both are one amount, the final amount has one of them, which may be the fine.
  return interest.centavos !== fine.centavos && final === original + interest.centavos
}

function isCertainlyOverdue({ due, day }: ShownAmounts): boolean {
  if (day === undefined || due === undefined || !isCalculableDay(due)) return false
  return addDays(due, CERTAINLY_OVERDUE_DAYS) < day
}

/**
 * Whether every date until which a charge has a discount is still to come. The request that created it lists
 * them: `[{ amount: '5.00', date: '2026-12-01' }]`. False if it lists none, or if the day is not known.
 */
function isDiscountOpen({ created, day }: ShownAmounts): boolean {
  if (day === undefined) return false

  const discounts = valueAt(created?.requestBody, '/amount/discount/fixedDateDiscount')
  if (!Array.isArray(discounts) || discounts.length === 0) return false

  return discounts.every((discount) => {
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
 * Lists every final amount, in centavos, that is possible if each part may be left out, may be an amount, or may
 * be a percentage of the original amount, rounded in any way.
 *
 * @example
 * // An original amount of 1000 and a part of 200, which is 2.00 reais or 2 percent:
 * [1000, 1200, 1019, 1020, 1021]
 */
function listSumsOfRates(original: bigint, parts: readonly ShownPart[]): bigint[] {
  let sums = [original]
  for (const part of parts) {
    const choices = [0n, ...listChoices(original, part)]
    sums = sums.flatMap((sum) => choices.map((choice) => sum + choice))
  }
  return sums
}

/** Lists what a part may add to an original amount: what it shows as centavos, or as a percentage, rounded in any way. */
function listChoices(original: bigint, { centavos }: ShownPart): bigint[] {
  // A percentage has two decimals: 200 is 2 percent.
  const percentage = (original * centavos) / 10_000n
  return [centavos, percentage - 1n, percentage, percentage + 1n]
}

/**
 * Expects that the check of a code shows the amount that an earlier response, such as that of its creation, showed of
 * its record. Does nothing if the check shows a part, such as a fine, or if the payer chooses the amount.
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

/**
 * Finds how the two amounts of a check, the original and the final one, contradict that of its record. `AGREES`
 * if one of them is that of the record, and `UNKNOWN` if one is missing.
 */
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

/**
 * Expects that the check of a code shows the key that an earlier response showed of its record. Does nothing if
 * one of them shows no whole key, such as a masked one.
 */
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

/**
 * Expects that the check of a code shows the `tx_id` that an earlier response showed of its record: by it, the receiver
 * knows what was paid. Does nothing if one of them shows none.
 */
function expectTxIdOfRecord({ exchange, model, report }: RuleContext): void {
  const txId = findShownValue(findOnlyRecord({ exchange, model }), 'tx_id')
  if (!txId) return

  const { value, by } = txId
  const shown = stringAt(exchange.responseBody, '/tx_id')
  const comparison = compareTxIds(shown, String(value))
  if (comparison === 'unknown') return

  report.expect(
    comparison === 'same',
    {
      evidence: exchange,
      cites: citeEarlier(by, `${by.operation} shows another tx_id`),
      about: 'tx_id of record',
    },
    () => `checkCode shows another tx_id of a code than ${by.operation} has shown.`,
  )
}

/**
 * Reports a check that shows the same word for the kind of a static code as for that of a dynamic one, whatever words
 * the service has. A payer may then take a charge for a code that can be paid again.
 */
function expectKindOfCode({ exchange, model, report }: RuleContext): void {
  const shown = readKindWord(exchange)
  if (!shown) return

  const isWordOfStaticCodes = model.consistency.isWordOfStaticCodes(shown.word)
  const isNew = isWordOfStaticCodes === undefined
  if (isNew || isWordOfStaticCodes === shown.isOfStaticCode) return

  // A service may have one word for all codes, although the document has one for static codes.
  const cites = { question: 'code-kinds' } as const
  const message = `checkCode shows ${JSON.stringify(shown.word)} as the kind of static and of dynamic codes; expected a word for each.`
  report.failed(exchange, cites, message, { about: 'kind of code', impact: 'high' })
}

/**
 * Expects that the check of a charge shows the due date that an earlier response showed of its record. Does
 * nothing if one of them shows none, or if the two are written in different ways.
 */
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
 * Expects that the check of a code shows as its receiver the person whom an earlier look-up showed as the owner
 * of the code's key. Does nothing without such a look-up, or if the masks of the two tax IDs hide too much.
 */
function expectOwnerOfKey({ exchange, model, report }: RuleContext): void {
  // Earlier exchanges about the same code or its key.
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
