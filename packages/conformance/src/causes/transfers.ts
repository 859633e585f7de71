import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import { durationMs, fieldsOf, stringAt, valueAt } from '../contract/json.ts'
import { mayContain } from '../history.ts'
import { centavosOf, dayAt } from '../model/amounts.ts'
import { isMaskedTaxId, isSameTaxId } from '../model/tax-ids.ts'
import type { Model } from '../model.ts'
import {
  buildApplicableCause,
  buildExcludedCause,
  type Cause,
  estimateServiceTime,
  type RequestContext,
} from './cause.ts'
import { findFixedAmount, listCodeCauses } from './codes.ts'
import { type Departure, findDepartures } from './once.ts'

/** Why a transfer may be refused. */
export function listTransferCauses(context: RequestContext): readonly Cause[] {
  const { sent } = context.exchange
  const causes = [
    ...listDateCauses(context),
    ...listFundsCauses(context),
    ...listBeneficiaryCauses(context),
  ]

  const isOfCode = stringAt(sent, '/type') === 'emv'
  if (isOfCode) causes.push(...listCodeCauses(context), ...listCodeAmountCauses(context))
  else causes.push(...listInitiationCauses(context))

  const isZero = centavosOf(stringAt(sent, '/amount')) === 0n
  if (isZero)
    causes.push(
      buildApplicableCause('amount_not_allowed', 'an amount of zero', { question: 'bounds' }),
    )
  return causes
}

/** Compares the amount of a transfer with the one that its code fixes. */
function listCodeAmountCauses(context: RequestContext): readonly Cause[] {
  const { sent } = context.exchange
  const code = 'amount_not_allowed'
  const amount = centavosOf(stringAt(sent, '/amount'))
  const fixed = findFixedAmount(stringAt(sent, '/emv') ?? '', context)
  if (amount === undefined || fixed === undefined || amount === 0n) return []
  if (isAmountSuggested(context)) return []

  if (amount === fixed) return [buildExcludedCause(code, 'the amount that the code fixes')]
  return [buildApplicableCause(code, 'another amount than the code fixes')]
}

/** Whether the amount of a code is a suggestion, as its last check showed. */
function isAmountSuggested({ exchange, model }: RequestContext): boolean {
  const check = model.sources
    .listSources(exchange)
    .find(({ operation }) => operation?.id === 'checkCode')
  return valueAt(check?.shown, '/allow_value_change') === true
}

/** Pix pays at once: a payment_date other than today is not allowed. */
function listDateCauses(context: RequestContext): readonly Cause[] {
  const code = 'payment_date_not_allowed'
  const date = stringAt(context.exchange.sent, '/payment_date')
  if (date === undefined) return [buildExcludedCause(code, 'a payment_date of today')]

  const { from, to } = estimateServiceTime(context)
  const today = dayAt(from)
  const isAroundMidnight = today !== dayAt(to)
  if (isAroundMidnight) return []

  if (date === today) return [buildExcludedCause(code, 'a payment_date of today')]
  return [buildApplicableCause(code, 'another payment_date than today')]
}

/**
 * Compares the amount with the balance of the payer. Only a sandbox shows balances; without one, only
 * an amount that no account holds is certainly too much.
 */
function listFundsCauses({ exchange, model: { ledger } }: RequestContext): readonly Cause[] {
  const code = 'insufficient_funds'
  const amount = centavosOf(stringAt(exchange.sent, '/amount'))
  if (amount === undefined || !exchange.by) return []

  // Transfers since the last look at the balances may have changed them.
  const areBalancesCurrent = ledger.transfersSince.length === 0
  const balances = areBalancesCurrent ? ledger.lastBalances?.accounts : undefined
  const balance = balances?.[ledger.findPayer(exchange.by) ?? '']

  const isTooMuch = amount > (centavosOf(balance) ?? MORE_THAN_ANY_ACCOUNT)
  if (isTooMuch) return [buildApplicableCause(code, 'more than the account holds')]
  if (balance === undefined) return []
  return [buildExcludedCause(code, 'what the account holds')]
}

/**
 * Half a billion reais, in centavos. That no account holds so much is an assumption: no operation
 * shows a balance.
 */
export const MORE_THAN_ANY_ACCOUNT = 50_000_000_000n

const { initiation } = behaviour.oneTimeValues

/**
 * Why the initiation_id of a transfer by key may be refused: it was never issued, was used, or was
 * issued for another request. The rule once-used judges those that are accepted all the same.
 */
function listInitiationCauses(context: RequestContext): readonly Cause[] {
  const { exchange, model } = context
  const use = model.values.listUses(exchange).find(({ name }) => name === 'initiation')
  const isUsedBeside = use && exchange.beside.some(({ request }) => mayContain(request, use.value))
  if (!use || isUsedBeside) return []

  const uses = model.values.findUses(use, exchange)
  if (!uses?.issued) return listUnissuedCauses(model)

  if (uses.accepted.length > 0)
    return [
      buildApplicableCause(initiation.used.refusal, 'a used initiation_id', {
        isJudgedElsewhere: true,
      }),
    ]

  const departures = findDepartures(initiation, uses, context)
  if (departures.length > 0) return departures.map(buildDepartureCause)

  const lifetimeMs = durationMs(initiation.lifetime)
  const isYoung = estimateServiceTime(context).to - uses.issued.trace.time < lifetimeMs
  const mayBeUsed = uses.unknown.length > 0
  if (mayBeUsed || !isYoung) return []

  const usable = buildExcludedCause(initiation.unbound.refusal, 'a new initiation_id')
  return [{ ...usable, entry: findEntryPointer(initiation) }]
}

/** Only a complete history shows that no response has issued an initiation_id. */
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

/** The cause of a request that uses an initiation_id too late, or for something else. */
function buildDepartureCause({ about, words }: Departure): Cause {
  const { refusal } = about === 'expired' ? initiation.expired : initiation.unbound
  return buildApplicableCause(refusal, `an initiation_id ${words}`, { isJudgedElsewhere: true })
}

/** Compares the beneficiary that a transfer names with the one that the last check or look-up showed. */
function listBeneficiaryCauses(context: RequestContext): readonly Cause[] {
  const code = 'beneficiary_mismatch'
  const { beneficiary } = fieldsOf(context.exchange.sent)
  const sentFields = Object.entries(fieldsOf(beneficiary))
  if (sentFields.length === 0) return [buildExcludedCause(code, 'no beneficiary')]

  const readShown = createBeneficiaryReader(context)
  let areAllCompared = true
  let question: string | undefined
  for (const [name, value] of sentFields) {
    const sent = String(value)
    const isMasked = name === 'tax_id' && isMaskedTaxId(sent)
    if (isMasked) question = 'owner-masking'

    const isMatch = isSameBeneficiaryField(name, sent, readShown(name) ?? '')
    if (isMatch === undefined) areAllCompared = false
    if (isMatch === false) {
      const field = isMasked ? `masked ${name}` : name
      return [buildApplicableCause(code, `another ${field} of the beneficiary`, { question })]
    }
  }
  return areAllCompared ? [{ ...buildExcludedCause(code, 'the beneficiary'), question }] : []
}

/** Undefined if the two cannot be compared. */
function isSameBeneficiaryField(name: string, sent: string, shown: string): boolean | undefined {
  return name === 'tax_id' ? isSameTaxId(sent, shown) : matchesShown(sent, shown)
}

/** The fields of a beneficiary that have another name in the look-up of a key. */
const NAMES_IN_LOOK_UP: Readonly<Record<string, string>> = {
  name: 'owner_name',
  tax_id: 'owner_document',
}

/** Reads a field of the beneficiary, as the last check of the code or look-up of the key showed it. */
function createBeneficiaryReader({ exchange, model }: RequestContext) {
  const source = model.sources.listSources(exchange).findLast(({ operation }) => {
    return operation?.id === 'checkCode' || operation?.id === 'checkKey'
  })

  if (source?.operation?.id === 'checkKey')
    return (name: string) => stringAt(source.shown, `/${NAMES_IN_LOOK_UP[name] ?? name}`)
  return (name: string) => stringAt(source?.shown, `/beneficiary/${name}`)
}

/**
 * Whether a field equals what was shown, in which stars may hide characters: `Ana` matches `A**`.
 * Undefined if the two cannot be compared, or are written in another way.
 */
function matchesShown(sent: string, shown: string): boolean | undefined {
  const sentText = plainText(sent)
  const shownText = plainText(shown)
  const isAllHidden = /^\*+$/.test(shownText)
  if (sentText === '' || shownText === '' || isAllHidden) return undefined

  const hasStars = shownText.includes('*')
  if (hasStars && sentText.length !== shownText.length) return undefined
  if (hasStars)
    return [...shownText].every(
      (character, index) => character === '*' || character === sentText[index],
    )

  if (sent === shown) return true
  const isWrittenOtherwise = sentText === shownText
  return isWrittenOtherwise ? undefined : false
}

/** Keeps letters, digits and stars, in lower case, without zeros at the front: `Ana-1` is `ana1`. */
function plainText(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\d*]|^0+(?=.)/gu, '')
}
