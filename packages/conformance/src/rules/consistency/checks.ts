import { findCharge } from '../../causes/codes.ts'
import { stringAt, valueAt } from '../../contract/json.ts'
import { centavosOf, dayAt, reaisOf } from '../../model/amounts.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSameTaxId } from '../../model/tax-ids.ts'
import { citeEarlier, type RuleContext } from '../rule.ts'

/** Expects that the check of a code agrees with itself, with the record of the code, and with its key. */
export function expectOwnCheck(context: RuleContext): void {
  const { operation, outcome } = context.exchange
  if (operation?.id !== 'checkCode' || outcome !== 'accepted') return

  expectParts(context)
  expectAmountOfRecord(context)
  expectDueDateOfRecord(context)
  expectOwnerOfKey(context)
}

/** Reads the payment code that a request checks. */
function readCode({ sent }: Exchange): string {
  return stringAt(sent, '/emv') ?? ''
}

/** The parts of an amount that are added, or taken off. */
const PARTS = { deduction: -1n, discount: -1n, fine: 1n, interest: 1n } as const
type Part = keyof typeof PARTS
/** A part with what it adds: `['discount', -500n]`. */
type ShownPart = readonly [name: Part, centavos: bigint]

/** The modality of a part that is a value. Of any other, a service may show the rate. */
const FIXED = '1'

/** What a check shows of a charge, and the request that created it. */
interface ShownAmounts {
  readonly original: bigint
  readonly final: bigint
  readonly parts: readonly ShownPart[]
  readonly created: Exchange | undefined
  /** The day of the check in Brazil, such as `2026-11-29`. */
  readonly day: string
}

/** The final amount of a check is the original one with its parts. */
function expectParts({ exchange, model, report }: RuleContext): void {
  const { shown } = exchange
  const original = centavosOf(stringAt(shown, '/original_amount'))
  const final = centavosOf(stringAt(shown, '/final_amount'))
  const parts = readParts(shown)
  if (original === undefined || final === undefined || parts.length === 0) return

  const created = findCharge(readCode(exchange), { exchange, model })?.created
  const day = dayAt(exchange.trace.time)
  const fault = findPartsFault({ original, final, parts, created, day })
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

/** Reads the parts that are not zero, with what each adds in centavos. */
function readParts(shown: unknown): readonly ShownPart[] {
  const names = Object.keys(PARTS) as Part[]
  return names.flatMap((name) => {
    const centavos = centavosOf(stringAt(shown, `/${name}`)) ?? 0n
    return centavos === 0n ? [] : [[name, PARTS[name] * centavos] as const]
  })
}

const AGREES = ''
/** Nobody knows whether a rate is shown, or an amount. */
const UNKNOWN = undefined

/** Finds how a final amount contradicts its parts; `AGREES` or `UNKNOWN` if it does not. */
function findPartsFault(amounts: ShownAmounts): string | typeof AGREES | typeof UNKNOWN {
  const { original, final, parts, created, day } = amounts
  const sums = possibleSums(original, parts)
  const isFixed = ([name]: ShownPart) =>
    name !== 'interest' && valueAt(created?.sent, `/amount/${name}/modality`) === FIXED

  if (sums.includes(final)) {
    const isCertain = (part: ShownPart) =>
      isFixed(part) && (part[0] !== 'discount' || isDiscountOpen(created, day))
    const leftOut = REDUCTIONS.find((name) => leavesOut(name, amounts, isCertain))
    return leftOut === undefined ? AGREES : `leaves out the ${leftOut}`
  }

  const countedTwice = parts.find((part) => isFixed(part) && sums.includes(final - part[1]))
  if (countedTwice) return `counts ${countedTwice[0]} twice`

  const mayShowRates = !parts.every(isFixed)
  const isExplicable =
    mayShowRates || takesAll(amounts) || possibleSumsOfRates(original, parts).includes(final)
  return isExplicable ? UNKNOWN : 'no choice of its parts adds up to'
}

const REDUCTIONS = ['deduction', 'discount'] as const

/**
 * Whether a deduction or a discount is shown and not taken off. The original amount may have it
 * already, unless it is the one of the creation: how the parts are shown is an open question.
 */
function leavesOut(
  name: Part,
  amounts: ShownAmounts,
  isCertain: (part: ShownPart) => boolean,
): boolean {
  const { original, final, parts, created } = amounts
  const reduction = parts.find((part) => part[0] === name && isCertain(part))
  const isOriginal = original === centavosOf(stringAt(created?.sent, '/amount/original'))
  if (!reduction || !isOriginal || takesAll(amounts)) return false

  const others = parts.filter((part) => part !== reduction)
  return !possibleSums(original + reduction[1], others).includes(final)
}

/** Whether all dates until which a charge has a discount are still to come. */
function isDiscountOpen(created: Exchange | undefined, day: string): boolean {
  const dates = valueAt(created?.sent, '/amount/discount/fixedDateDiscount')
  if (!Array.isArray(dates) || dates.length === 0) return false
  return dates.every((discount) => (stringAt(discount, '/date') ?? '') > day)
}

/** Whether the reductions leave nothing, of which nobody says what is due then. */
function takesAll({ original, parts }: ShownAmounts): boolean {
  let left = original
  for (const [, centavos] of parts) if (centavos < 0n) left += centavos
  return left <= 0n
}

/** Lists the original amount with each choice of the parts: 1000 and a fine of 20 give 1000 and 1020. */
function possibleSums(original: bigint, parts: readonly ShownPart[]): bigint[] {
  let sums = [original]
  for (const [, centavos] of parts) sums = [...sums, ...sums.map((sum) => sum + centavos)]
  return sums
}

/**
 * Lists the original amount with each choice of the parts, where each part may be an amount or a
 * percentage of the original amount, rounded in any way.
 */
function possibleSumsOfRates(original: bigint, parts: readonly ShownPart[]): bigint[] {
  let sums = [original]
  for (const [, centavos] of parts) {
    const percentage = (original * centavos) / 10_000n
    const choices = [0n, centavos, percentage - 1n, percentage, percentage + 1n]
    sums = sums.flatMap((sum) => choices.map((choice) => sum + choice))
  }
  return sums
}

/** A code without parts costs what the response shows that created it. */
function expectAmountOfRecord({ exchange, model, report }: RuleContext): void {
  const { shown } = exchange
  const [record, ...otherRecords] = model.records.withCode(readCode(exchange))
  const [amount, ...otherAmounts] = record?.fields.get('amount') ?? []
  const isCertain = otherRecords.length === 0 && otherAmounts.length === 0
  if (!amount || amount.isSent || !isCertain || readParts(shown).length > 0) return

  const { value, by } = amount
  const created = centavosOf(typeof value === 'string' ? value : stringAt(value, '/original'))
  const original = centavosOf(stringAt(shown, '/original_amount'))
  const final = centavosOf(stringAt(shown, '/final_amount'))
  if (!created || original === undefined || final === undefined) return

  report.expect(
    final === created || original === created,
    {
      evidence: exchange,
      cites: citeEarlier(by, `${by.operation} shows ${reaisOf(created)}`),
      about: 'amount of record',
    },
    () =>
      `checkCode shows ${reaisOf(final)} for a code of which ${by.operation} shows ${reaisOf(created)}.`,
  )
}

/** The due date is that of the record, if both are written in one way. */
function expectDueDateOfRecord({ exchange, model, report }: RuleContext): void {
  const charge = findCharge(readCode(exchange), { exchange, model })
  const [calendar, ...others] = charge?.fields.get('calendar') ?? []
  if (!calendar || calendar.isSent || others.length > 0) return

  const { value, by } = calendar
  const due = stringAt(exchange.shown, '/due_date')
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

/** Replaces each digit by 0, so that two notations can be compared: `0000-00-00`. */
function hideDigits(date: string): string {
  return date.replaceAll(/\d/g, '0')
}

/** The receiver of a code owns its key, as the look-up of the key shows. */
function expectOwnerOfKey({ exchange, model, report }: RuleContext): void {
  const lookUp = model.sources.of(exchange).find(({ operation }) => operation?.id === 'checkKey')
  if (!lookUp) return

  const owner = stringAt(lookUp.shown, '/owner_document') ?? ''
  const receiver = stringAt(exchange.shown, '/beneficiary/tax_id') ?? ''
  const isSame = isSameTaxId(owner, receiver)
  if (isSame === undefined) return

  report.expect(
    isSame,
    {
      evidence: exchange,
      cites: citeEarlier(lookUp.trace, 'checkKey shows another owner of the key'),
      about: 'owner of key',
    },
    () => 'checkCode shows another receiver of a code than checkKey shows as the owner of its key.',
  )
}
