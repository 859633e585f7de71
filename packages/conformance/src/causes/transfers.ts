import { stepsOf } from '@partner-payments/validator'
import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import { type Comparison, durationMs, fieldsOf, stringAt, valueAt } from '../contract/json.ts'
import { INSUFFICIENT_FUNDS } from '../contract/words.ts'
import { mayContain } from '../history.ts'
import { centavosOf, dayAt, readSentAmount } from '../model/amounts.ts'
import type { Exchange, Identity } from '../model/exchange.ts'
import type { Ledger } from '../model/ledger.ts'
import { compareTaxIds, isMaskedTaxId } from '../model/tax-ids.ts'
import { hasCertainTime } from '../model/unknown.ts'
import type { Model } from '../model.ts'
import {
  buildApplicableCause,
  buildExcludedCause,
  type Cause,
  estimateServiceTime,
  isDayUncertain,
  type RequestContext,
} from './cause.ts'
import { findFixedAmount, listCodeCauses } from './codes.ts'
import { type Departure, findDepartures } from './once.ts'

/**
 * Lists the reasons to refuse a transfer: its date, amount and beneficiary, and the code or the
 * `initiation_id` that it uses. Such as `{ code: 'insufficient_funds', applies: true, … }`. A cause with
 * `applies: false` must not be the reason.
 */
export function listTransferCauses(context: RequestContext): readonly Cause[] {
  const { exchange } = context
  const causes = [
    ...listDateCauses(context),
    ...listFundsCauses(context),
    ...listBeneficiaryCauses(context),
  ]

  // A transfer pays a payment code (`emv`), or the key for which a look-up issued its `initiation_id`.
  const isOfCode = stringAt(exchange.requestBody, '/type') === 'emv'
  if (isOfCode) causes.push(...listCodeCauses(context), ...listCodeAmountCauses(context))
  else causes.push(...listInitiationCauses(context))

  const isZero = readSentAmount(exchange) === 0n
  if (isZero)
    causes.push(
      buildApplicableCause('amount_not_allowed', 'an amount of zero', { question: 'bounds' }),
    )
  return causes
}

/**
 * Compares the amount of a transfer with the one that its code fixes: 11.00 for a charge of 10.00 is a cause,
 * and 10.00 excludes it. None if the code fixes no amount, or lets the payer change it.
 */
function listCodeAmountCauses(context: RequestContext): readonly Cause[] {
  const { exchange } = context
  const amount = readSentAmount(exchange)
  const emv = stringAt(exchange.requestBody, '/emv')
  if (amount === undefined || emv === undefined) return []

  // An amount of zero is refused for itself: `listTransferCauses` lists that cause.
  if (amount === 0n) return []

  const fixedAmount = findFixedAmount(emv, context)
  if (fixedAmount === undefined || isAmountSuggested(context)) return []

  const code = 'amount_not_allowed'
  if (amount === fixedAmount) return [buildExcludedCause(code, 'the amount that the code fixes')]
  return [buildApplicableCause(code, 'another amount than the code fixes')]
}

/** Whether the payer may change the amount of a code, as its last check showed (`allow_value_change`). */
function isAmountSuggested({ exchange, model }: RequestContext): boolean {
  const check = model.sources.findCheck(exchange)
  return valueAt(check?.responseBody, '/allow_value_change') === true
}

const WRONG_DATE = 'payment_date_not_allowed'

/** Whether a refusal may be for a `payment_date`, since nobody knows whether that was the day of the request. */
export function mayBeForDate(code: string, context: RequestContext): boolean {
  const hasDate = stringAt(context.exchange.requestBody, '/payment_date') !== undefined
  return code === WRONG_DATE && hasDate && isDayUncertain(context)
}

/**
 * Compares the `payment_date` with the day of the request. Pix pays at once, so that another date is a
 * cause, and today, or no date, excludes it. None around midnight, when the day is not certain.
 */
function listDateCauses(context: RequestContext): readonly Cause[] {
  const date = stringAt(context.exchange.requestBody, '/payment_date')
  if (date === undefined) return [buildExcludedCause(WRONG_DATE, 'a payment_date of today')]
  if (isDayUncertain(context)) return []

  const today = dayAt(estimateServiceTime(context).from)
  if (date === today) return [buildExcludedCause(WRONG_DATE, 'a payment_date of today')]
  return [buildApplicableCause(WRONG_DATE, 'another payment_date than today')]
}

/**
 * Compares the amount with the balance of the payer: more is a cause, and less excludes it. Only a
 * sandbox shows balances; without one, only an amount that no account holds is certainly too much.
 */
function listFundsCauses({ exchange, model }: RequestContext): readonly Cause[] {
  const { identity } = exchange
  const amount = readSentAmount(exchange)
  if (amount === undefined || !identity) return []

  const tooMuch = buildApplicableCause(INSUFFICIENT_FUNDS, 'more than the account holds')
  const balance = findBalance(identity, model.ledger)
  if (balance === undefined)
    return amount > MORE_THAN_ANY_ACCOUNT ? [{ ...tooMuch, needsCode: true }] : []

  if (amount > balance) return [tooMuch]
  return [buildExcludedCause(INSUFFICIENT_FUNDS, 'what the account holds')]
}

/**
 * Finds what the account of an identity holds, in centavos, as a sandbox has shown; undefined if that is not
 * known, or may have changed.
 */
function findBalance(identity: Identity, ledger: Ledger): bigint | undefined {
  // No transfer was sent since the last look at the balances.
  const areBalancesCurrent = ledger.transfersSince.length === 0
  const account = ledger.findPayer(identity)
  if (!areBalancesCurrent || account === undefined) return undefined
  return centavosOf(ledger.lastBalances?.accounts[account])
}

/**
 * Half a billion reais, in centavos. That no account holds so much is an assumption: no operation
 * shows a balance.
 */
export const MORE_THAN_ANY_ACCOUNT = 50_000_000_000n

/** What the contract declares of an `initiation_id`: `{ lifetime: 'PT30M', used: { refusal: 'initiation_used' }, … }`. */
const { initiation } = behaviour.oneTimeValues

/**
 * Lists the reasons to refuse the `initiation_id` of a transfer, which a look-up of a key issues for one transfer
 * within 30 minutes: it was never issued, was used, is too old, or was issued to another caller or for another key.
 * Of a new one, the refusal is excluded. None if another request with it, or a lost response, makes that uncertain.
 */
function listInitiationCauses(context: RequestContext): readonly Cause[] {
  const { exchange, model } = context
  // Such as `{ name: 'initiation', value: 'init_1', … }`.
  const initiationId = model.values
    .listSentValues(exchange)
    .find(({ name }) => name === 'initiation')
  if (!initiationId) return []

  // Of two requests at the same time, nobody knows which one the service decides first.
  const isSentTwiceAtOnce = exchange.beside.some(({ request }) =>
    mayContain(request, initiationId.value),
  )
  if (isSentTwiceAtOnce) return []

  // The look-up that issued it, and the earlier transfers with it: accepted, refused, or with an unknown outcome.
  const valueHistory = model.values.findValueHistory(initiationId, exchange)
  if (!valueHistory?.issuedBy) return listUnissuedCauses(model)
  if (valueHistory.accepted.length > 0) return [USED_INITIATION]

  const departures = findDepartures(initiation, valueHistory, context)
  if (departures.length > 0) return departures.map(buildDepartureCause)

  // An earlier transfer with it has an unknown outcome.
  const mayBeUsed = valueHistory.unknown.length > 0
  if (mayBeUsed || !isCertainlyYoung(valueHistory.issuedBy, context)) return []

  const usable = buildExcludedCause(initiation.unbound.refusal, 'a new initiation_id')
  return [{ ...usable, entry: findEntryPointer(initiation) }]
}

/** The rule once-used judges transfers that are accepted although such a cause applies. */
const USED_INITIATION = buildApplicableCause(initiation.used.refusal, 'a used initiation_id', {
  isJudgedElsewhere: true,
})

/** Whether the lifetime of an `initiation_id` is certainly not over when the service gets a request. */
function isCertainlyYoung(issued: Exchange, context: RequestContext): boolean {
  const { exchange, model } = context
  if (!hasCertainTime(issued) || !hasCertainTime(exchange)) return false

  // A slow service may have issued it right after the request, and may judge this one just before its response.
  const earliestIssue = estimateServiceTime({ exchange: issued, model }).from
  const oldestMs = estimateServiceTime(context).to - earliestIssue
  return oldestMs < durationMs(initiation.lifetime)
}

/**
 * Lists the cause that an `initiation_id` was never issued. None if a response that the history does not show,
 * or that the model has forgotten, may have issued it.
 */
function listUnissuedCauses({ isComplete, values }: Model): readonly Cause[] {
  const isCertain = isComplete && values.forgotten === 0
  if (!isCertain) return []
  return [
    buildApplicableCause(initiation.unissued.refusal, 'an initiation_id that was never issued', {
      isJudgedElsewhere: true,
      fact: 'key-then-transfer',
    }),
  ]
}

/** Builds the cause of a request that uses an `initiation_id` too late, or for something else. */
function buildDepartureCause({ about, words }: Departure): Cause {
  const { refusal } = about === 'expired' ? initiation.expired : initiation.unbound
  return buildApplicableCause(refusal, `an initiation_id ${words}`, { isJudgedElsewhere: true })
}

/**
 * Compares the fields of the beneficiary that a transfer names, such as `{ name: 'Ana', tax_id: '11144477735' }`,
 * with those that the last check or look-up showed. The first different field is a cause. If all agree, or none
 * is named, the refusal is excluded. No cause if none differs, but one cannot be compared.
 */
function listBeneficiaryCauses(context: RequestContext): readonly Cause[] {
  const code = 'beneficiary_mismatch'
  const { beneficiary } = fieldsOf(context.exchange.requestBody)
  const sentFields = Object.entries(fieldsOf(beneficiary))
  if (sentFields.length === 0) return [buildExcludedCause(code, 'no beneficiary')]

  const readShown = createBeneficiaryReader(context)
  let isAnyUnknown = false
  let question: string | undefined
  for (const [name, value] of sentFields) {
    const sent = String(value)
    // Whether a service takes a masked tax ID, such as `***123456**`, is an open question.
    const isMasked = name === 'tax_id' && isMaskedTaxId(sent)
    if (isMasked) question = 'owner-masking'

    const comparison = compareField(name, sent, readShown(name))
    if (comparison === 'different') {
      const field = isMasked ? `masked ${name}` : name
      return [buildApplicableCause(code, `another ${field} of the beneficiary`, { question })]
    }
    if (comparison === 'unknown') isAnyUnknown = true
  }

  if (isAnyUnknown) return []
  return [{ ...buildExcludedCause(code, 'the beneficiary'), question }]
}

/**
 * Whether a pointer of a transfer, such as `/beneficiary/account_type`, leads to a field that repeats letter by letter what
 * the last check or look-up showed.
 */
export function repeatsShownBeneficiary(pointer: string, context: RequestContext): boolean {
  const [parent, name, ...deeper] = stepsOf(pointer)
  if (parent !== 'beneficiary' || name === undefined || deeper.length > 0) return false

  const sent = stringAt(context.exchange.requestBody, pointer)
  return createBeneficiaryReader(context)(name) === sent
}

/** Compares a field of the beneficiary, such as `tax_id`, with the text that was shown. */
function compareField(name: string, sent: string, shown: string): Comparison {
  return name === 'tax_id' ? compareTaxIds(sent, shown) : compareTexts(sent, shown)
}

/** The fields of a beneficiary that have another name in the look-up of a key. */
const NAMES_IN_LOOK_UP: Readonly<Record<string, string>> = {
  name: 'owner_name',
  tax_id: 'owner_document',
}

/**
 * Creates a function that reads a field of the beneficiary, such as `tax_id`, as the last check of the
 * code or look-up of the key showed it; empty if neither showed it.
 */
function createBeneficiaryReader({ exchange, model }: RequestContext): (name: string) => string {
  // The earlier exchanges that showed the code or the key that the transfer pays.
  const sources = model.sources.listSources(exchange)
  const last = sources.findLast(
    ({ operation }) => operation?.id === 'checkCode' || operation?.id === 'checkKey',
  )
  const isLookUp = last?.operation?.id === 'checkKey'

  return (name) => {
    const pointer = isLookUp ? `/${NAMES_IN_LOOK_UP[name] ?? name}` : `/beneficiary/${name}`
    return stringAt(last?.responseBody, pointer) ?? ''
  }
}

/**
 * Compares a text with what was shown, in which stars may hide characters: `Ana` is the same as `A**`.
 * Unknown if one is empty, or if only the notation differs: `0001-2` and `12` are the same without hyphen and zeros.
 */
function compareTexts(sent: string, shown: string): Comparison {
  const sentText = plainText(sent)
  const shownText = plainText(shown)
  if (sentText === '' || shownText === '') return 'unknown'
  if (shownText.includes('*')) return compareMasked(sentText, shownText)

  if (sent === shown) return 'same'
  const isOtherNotation = sentText === shownText
  return isOtherNotation ? 'unknown' : 'different'
}

/** Compares a text with one in which each star hides a character: `ana` and `a**` are the same. */
function compareMasked(text: string, masked: string): Comparison {
  const isAllHidden = /^\*+$/.test(masked)
  // A service may write one star for several characters.
  if (isAllHidden || text.length !== masked.length) return 'unknown'

  const isSame = [...masked].every(
    (character, index) => character === '*' || character === text[index],
  )
  return isSame ? 'same' : 'different'
}

/** Keeps letters, digits and stars, in lower case, without zeros at the front: `Ana-1` is `ana1`. */
function plainText(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\d*]|^0+(?=.)/gu, '')
}
