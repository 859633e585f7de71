import { valueAt } from '@partner-payments/contract'
import { toCentavos } from './amounts.ts'
import { ConfigError, type UnknownRequest } from './errors.ts'
import type { WebhookEvent } from './generated/webhooks/index.ts'
import { isObject, readText } from './property.ts'

/** Whether an event is about a request. */
export type Match = 'yes' | 'no' | 'cannot_know'

/** The `request` of an `OutcomeUnknownError`, as it is or as it was stored as JSON. */
export interface UnknownPayment extends Pick<UnknownRequest, 'input'> {
  readonly sentAt: Date | string
  /**
   * What `codes.check` or `keys.check` returned: `pay` adds it. Without it, most events are
   * `cannot_know`.
   */
  readonly check?: object | undefined
}

/**
 * Says whether a `transfer.settled` or `transfer.rejected` is about a payment whose outcome is
 * unknown.
 *
 * - `yes`: amount and time fit, and so does the `tx_id` of the code, or the tax ID of the key's
 *   owner.
 * - `no`: one of them certainly differs.
 * - `cannot_know`: everything else. Nothing identifies the payment, such as a code without a `tx_id`
 *   of its own; or one of the `others` fits too.
 *
 * **No result is a licence to pay again.** No identifier links payment and event: a `yes` is a guess
 * from values that another payment may share, and a `no` is about this event alone. First compare
 * `event.data.id` with the transfers that you know: an event of one of them is about no other
 * payment. If two events say `yes`, you cannot know which is right.
 *
 * Assumes what the contract assumes of events (open questions `event-kinds`, `transfer-parties`,
 * `transfer-tx-id`).
 *
 * @param others your other unknown payments, of all customers
 *
 * @example
 * const result = await payee.pay({ amount: '25.00' }).result()
 * if (result.kind === 'outcome_unknown') unknown.push(result.error.request)
 * // later, in the receiver
 * const found = unknown.filter((request) => match(request, event, unknown) === 'yes')
 */
export function match(
  request: UnknownPayment,
  event: WebhookEvent,
  others: readonly UnknownPayment[] = [],
): Match {
  const result = compare(request, event)
  if (result !== 'yes') return result

  const isShared = others.some((other) => other !== request && compare(other, event) !== 'no')
  return isShared ? 'cannot_know' : 'yes'
}

/**
 * Says whether an event is about a payment whose outcome is unknown, as if there were no other
 * payment. Any difference is a `no`. A `yes` needs a fitting time, the same amount, and an identifier:
 * for a code (`emv`) the same `tx_id`, for a key (`dict`) the same tax ID of the payee.
 */
function compare(request: UnknownPayment, event: WebhookEvent): Match {
  const sentAt = readSentTime(request)
  const { input, check } = request
  const { type, data } = event
  const isAboutTransfer = type === 'transfer.settled' || type === 'transfer.rejected'
  if (!isAboutTransfer) return 'no'

  const kind = valueAt(input, '/type')
  const isTransfer = kind === 'emv' || kind === 'dict'
  if (!isTransfer) return 'no'

  const initiationType = valueAt(data, '/initiation_type')
  if (isOfOtherKind(kind, initiationType)) return 'no'

  const isCode = kind === 'emv'
  const happenedAt = Date.parse(readText(event, 'timestamp'))
  const time = compareTimes(sentAt, happenedAt)
  const amount = compareAmounts(valueAt(input, '/amount'), valueAt(data, '/amount'))
  const payee = compareTaxIds(findTaxId(request), valueAt(data, '/beneficiary/tax_id'))
  const txId = isCode
    ? compareTxIds(valueAt(check, '/tx_id'), valueAt(data, '/tx_id'))
    : 'cannot_know'

  const hasDifference = [time, amount, payee, txId].includes('no')
  if (hasDifference) return 'no'

  // A code is identified by its `tx_id`, a key by the tax ID of its owner.
  const identity = isCode ? txId : payee
  const isSame = time === 'yes' && amount === 'yes' && identity === 'yes'
  if (!isSame) return 'cannot_know'

  // A dynamic code (QRDN) is paid once. A key can be paid again, and so can a static code with its
  // `tx_id`: then only an event soon after the payment is about it.
  const isPaidOnce = initiationType === 'QRDN'
  return isPaidOnce || isSoon(sentAt, happenedAt) ? 'yes' : 'cannot_know'
}

/** When an unknown payment was sent, in milliseconds. Throws `ConfigError` without a valid time. */
function readSentTime({ input, sentAt }: UnknownPayment): number {
  const time = new Date(sentAt).getTime()
  if (isObject(input) && !Number.isNaN(time)) return time
  throw new ConfigError(
    'the request must be that of an OutcomeUnknownError, with its "input" and "sentAt"',
  )
}

/** Compares two amounts in centavos, without a sign: `-10.5` is `10.50`. */
function compareAmounts(sent: unknown, shown: unknown): Match {
  const sentCentavos = readCentavos(sent)
  const shownCentavos = readCentavos(shown)
  if (sentCentavos === undefined || shownCentavos === undefined) return 'cannot_know'
  return sentCentavos === shownCentavos ? 'yes' : 'no'
}

/** An amount in centavos, without its sign; `undefined` for what is no amount. */
function readCentavos(amount: unknown): bigint | undefined {
  try {
    return toCentavos(String(amount).replace(/^-/, ''))
  } catch {
    return undefined
  }
}

/**
 * Whether an event says that its transfer pays a code where the request pays a key, or the reverse.
 * False for an initiation type that is not known.
 */
function isOfOtherKind(kind: 'emv' | 'dict', initiationType: unknown): boolean {
  const isKeyInEvent = initiationType === 'DICT'
  const isCodeInEvent = initiationType === 'QRES' || initiationType === 'QRDN'
  return kind === 'emv' ? isKeyInEvent : isCodeInEvent
}

/**
 * The tax ID of the payee (CPF or CNPJ): that of the beneficiary of the code, that of the owner of the
 * key, or the key itself if it is one. `undefined` if none of them is known.
 */
function findTaxId({ input, check }: UnknownPayment): unknown {
  const ofBeneficiary = valueAt(check, '/beneficiary/tax_id')
  if (ofBeneficiary != null) return ofBeneficiary

  const ofOwner = valueAt(check, '/owner_document')
  if (ofOwner != null) return ofOwner

  const key = valueAt(input, '/dict_key')
  const isTaxId = typeof key === 'string' && CPF_OR_CNPJ.test(key)
  return isTaxId ? key : undefined
}

const CPF_OR_CNPJ = /^(\d{11}|[0-9A-Z]{12}\d{2})$/

/**
 * Compares two tax IDs by the characters that both show: `***.456.789-**` fits `12345678901`. `yes`
 * needs six characters that both show, as many as a masked CPF has; fewer are a `cannot_know`.
 */
function compareTaxIds(expected: unknown, shown: unknown): Match {
  const expectedCharacters = splitTaxId(expected)
  const shownCharacters = splitTaxId(shown)
  if (!isWholeTaxId(expectedCharacters) || !isWholeTaxId(shownCharacters)) return 'cannot_know'
  if (expectedCharacters.length !== shownCharacters.length) return 'no'

  let compared = 0
  for (const [index, character] of expectedCharacters.entries()) {
    const isMasked = character === '*' || shownCharacters[index] === '*'
    if (isMasked) continue
    if (character !== shownCharacters[index]) return 'no'
    compared += 1
  }
  return compared >= SHOWN_DIGITS ? 'yes' : 'cannot_know'
}

/** The digits that a masked CPF shows. */
const SHOWN_DIGITS = 6

/** A CPF has 11 characters, and a CNPJ 14. */
function isWholeTaxId({ length }: readonly string[]): boolean {
  return length === 11 || length === 14
}

function splitTaxId(taxId: unknown): string[] {
  if (typeof taxId !== 'string') return []
  return [...taxId.toUpperCase().replace(/[^0-9A-Z*]/g, '')]
}

/** An event before the request cannot be about it. */
function compareTimes(sentAt: number, happenedAt: number): Match {
  if (Number.isNaN(happenedAt)) return 'cannot_know'
  return happenedAt >= sentAt - CLOCK_DIFFERENCE_MS ? 'yes' : 'no'
}

/** Whether a transfer is so soon after the request that it is not a later one. */
function isSoon(sentAt: number, happenedAt: number): boolean {
  return happenedAt <= sentAt + HOUR_MS
}

/** How much the clocks of two servers may differ. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000
const HOUR_MS = 3_600_000

/** A `tx_id` that is empty or `***` is none: every such code has it. */
function compareTxIds(expected: unknown, shown: unknown): Match {
  if (!isOwnTxId(expected) || !isOwnTxId(shown)) return 'cannot_know'
  return expected === shown ? 'yes' : 'no'
}

function isOwnTxId(value: unknown): boolean {
  return typeof value === 'string' && /^[a-zA-Z0-9]{1,35}$/.test(value)
}
