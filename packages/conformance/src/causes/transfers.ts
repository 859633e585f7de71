import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import { durationMs, fieldsOf, stringAt, valueAt } from '../contract/json.ts'
import { mayContain } from '../history.ts'
import { centavosOf, dayAt } from '../model/amounts.ts'
import { isMaskedTaxId, isSameTaxId } from '../model/tax-ids.ts'
import {
  applicableCause,
  type Cause,
  estimateServiceTime,
  excludedCause,
  type RequestContext,
} from './cause.ts'
import { codeCauses, fixedAmount } from './codes.ts'
import { findDepartures } from './once.ts'

/** Why a transfer may be refused. */
export function transferCauses(requested: RequestContext): readonly Cause[] {
  const { sent } = requested.exchange
  const causes = [
    ...dateCauses(requested),
    ...fundsCauses(requested),
    ...beneficiaryCauses(requested),
  ]

  const isOfCode = stringAt(sent, '/type') === 'emv'
  if (isOfCode) causes.push(...codeCauses(requested), ...codeAmountCauses(requested))
  else causes.push(...initiationCauses(requested))

  const isZero = centavosOf(stringAt(sent, '/amount')) === 0n
  if (isZero)
    causes.push(applicableCause('amount_not_allowed', 'an amount of zero', { question: 'bounds' }))
  return causes
}

function codeAmountCauses(requested: RequestContext): readonly Cause[] {
  const { sent } = requested.exchange
  const code = 'amount_not_allowed'
  const amount = centavosOf(stringAt(sent, '/amount'))
  const fixed = fixedAmount(stringAt(sent, '/emv') ?? '', requested)
  if (amount === undefined || fixed === undefined || amount === 0n) return []
  if (isSuggestion(requested)) return []

  if (amount === fixed) return [excludedCause(code, 'the amount that the code fixes')]
  return [applicableCause(code, 'another amount than the code fixes')]
}

/** Whether the amount of a code is a suggestion, as its last check showed. */
function isSuggestion({ exchange, model }: RequestContext): boolean {
  const check = model.sources.of(exchange).find(({ operation }) => operation?.id === 'checkCode')
  return valueAt(check?.shown, '/allow_value_change') === true
}

function dateCauses(requested: RequestContext): readonly Cause[] {
  const code = 'payment_date_not_allowed'
  const today = excludedCause(code, 'a payment_date of today')
  const date = stringAt(requested.exchange.sent, '/payment_date')
  if (date === undefined) return [today]

  const { from, to } = estimateServiceTime(requested)
  const day = dayAt(from)
  const isMidnight = day !== dayAt(to)
  if (isMidnight) return []

  return [date === day ? today : applicableCause(code, 'another payment_date than today')]
}

/** More than the account holds, as a sandbox shows it; or more than any account does. */
function fundsCauses({ exchange, model: { ledger } }: RequestContext): readonly Cause[] {
  const code = 'insufficient_funds'
  const amount = centavosOf(stringAt(exchange.sent, '/amount'))
  if (amount === undefined || !exchange.by) return []

  const account = ledger.payerOf(exchange.by) ?? ''
  const isAtRest = ledger.since.length === 0
  const balance = isAtRest ? ledger.atRest?.accounts[account] : undefined
  const isMore = amount > (centavosOf(balance) ?? MORE_THAN_ANY_ACCOUNT)
  if (isMore) return [applicableCause(code, 'more than the account holds')]

  return balance === undefined ? [] : [excludedCause(code, 'what the account holds')]
}

/** A billion reais. */
const MORE_THAN_ANY_ACCOUNT = 100_000_000_000n

const { initiation } = behaviour.oneTimeValues

function initiationCauses({ exchange, model }: RequestContext): readonly Cause[] {
  const use = model.values.usesIn(exchange).find(({ name }) => name === 'initiation')
  const isUsedBeside = use && exchange.beside.some(({ request }) => mayContain(request, use.value))
  if (!use || isUsedBeside) return []

  const known = model.values.known(use, exchange)
  if (!known?.issued) {
    const isSure = model.isComplete && model.values.forgotten === 0
    if (!isSure) return []
    return [
      applicableCause(initiation.unissued.refusal, 'an initiation_id that was never issued', {
        isJudgedElsewhere: true,
        fact: 'key-then-transfer',
      }),
    ]
  }

  if (known.accepted.length > 0)
    return [
      applicableCause(initiation.used.refusal, 'a used initiation_id', {
        isJudgedElsewhere: true,
      }),
    ]

  const departures = findDepartures(initiation, known, { exchange, model })
  if (departures.length > 0)
    return departures.map(({ about, words }) => {
      const { refusal } = about === 'expired' ? initiation.expired : initiation.unbound
      return applicableCause(refusal, `an initiation_id ${words}`, { isJudgedElsewhere: true })
    })

  const lifetimeMs = durationMs(initiation.lifetime)
  const isYoung = estimateServiceTime({ exchange, model }).to - known.issued.trace.time < lifetimeMs
  if (known.unknown.length > 0 || !isYoung) return []
  const usable = excludedCause(initiation.unbound.refusal, 'a new initiation_id')
  return [{ ...usable, entry: findEntryPointer(initiation) }]
}

function beneficiaryCauses(requested: RequestContext): readonly Cause[] {
  const code = 'beneficiary_mismatch'
  const { beneficiary } = fieldsOf(requested.exchange.sent)
  const sent = Object.entries(fieldsOf(beneficiary))
  if (sent.length === 0) return [excludedCause(code, 'no beneficiary')]

  const shownAs = createBeneficiaryReader(requested)
  let isSure = true
  let question: string | undefined
  for (const [name, value] of sent) {
    const text = String(value)
    const isTaxId = name === 'tax_id'
    const isMasked = isTaxId && isMaskedTaxId(text)
    if (isMasked) question = 'owner-masking'

    const shown = shownAs(name) ?? ''
    const isMatch = isTaxId ? isSameTaxId(text, shown) : matchesShown(text, shown)
    const kind = isMasked ? `masked ${name}` : name
    if (isMatch === false)
      return [applicableCause(code, `another ${kind} of the beneficiary`, { question })]
    if (isMatch === undefined) isSure = false
  }
  return isSure ? [{ ...excludedCause(code, 'the beneficiary'), question }] : []
}

/** The fields of a beneficiary that have another name in the look-up of a key. */
const NAMES_IN_LOOK_UP: Readonly<Record<string, string>> = {
  name: 'owner_name',
  tax_id: 'owner_document',
}

/** What the last check of the code, or look-up of the key, showed of the beneficiary. */
function createBeneficiaryReader({ exchange, model }: RequestContext) {
  const source = model.sources.of(exchange).findLast(({ operation }) => {
    return operation?.id === 'checkCode' || operation?.id === 'checkKey'
  })

  if (source?.operation?.id === 'checkKey')
    return (name: string) => stringAt(source.shown, `/${NAMES_IN_LOOK_UP[name] ?? name}`)
  return (name: string) => stringAt(source?.shown, `/beneficiary/${name}`)
}

/**
 * Whether a field equals what was shown, which may be masked by stars; undefined if that cannot be
 * compared, or if it is written in another way.
 */
function matchesShown(sent: string, shown: string): boolean | undefined {
  const one = plainText(sent)
  const other = plainText(shown)
  const isAllMasked = /^\*+$/.test(other)
  if (one === '' || other === '' || isAllMasked) return undefined

  const isMasked = other.includes('*')
  if (!isMasked) {
    if (sent === shown) return true
    return one === other ? undefined : false
  }

  if (one.length !== other.length) return undefined
  return [...other].every((character, index) => character === '*' || character === one[index])
}

/** Letters, digits and stars alone, in lower case, without zeros at the front. */
function plainText(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\d*]|^0+(?=.)/gu, '')
}
