import { type Comparison, findOnlyItem, isSameValue, stringAt } from '../contract/json.ts'
import { centavosOf, readSentAmount } from '../model/amounts.ts'
import type { Exchange, Identity } from '../model/exchange.ts'
import { hasSameLetters } from '../model/letters.ts'
import { readCertainValue } from '../model/records.ts'
import { compareTaxIds, isMaskedTaxId } from '../model/tax-ids.ts'
import { createSentCode, type ValueHistory } from '../model/values.ts'
import type { Model } from '../model.ts'
import { isRejected, isUsedUp } from './once.ts'

/** Clocks differ by less. A time in the wrong zone differs by more: Brazil is two hours or more from UTC. */
export const MAX_TIME_DIFFERENCE_MS = 90 * 60_000

/**
 * Reads a field of the customer for whom an identity acts, such as its `tax_id`, as the look-up of the user
 * (`getUser`) showed it. Undefined of an identity without a customer, and of an empty or unknown field.
 */
export function readCustomerField(
  name: 'account_id' | 'name' | 'tax_id',
  identity: Identity | undefined,
  { records }: Model,
): string | undefined {
  if (identity?.customer === undefined) return undefined

  const customer = records.find({ name: 'customer' }, identity.customer)
  const value = customer && readCertainValue(customer, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * Finds the transfer that has paid a dynamic code: the only one that was accepted and not rejected.
 * Undefined if there is none, if it may still be rejected, or if several may have paid it, such as one
 * whose response never arrived.
 */
export function findPayment(emv: string, model: Model): Exchange | undefined {
  const transfers = findTransfersOfCode(emv, model)
  if (!transfers || transfers.unknown.length > 0) return undefined

  const notRejected = transfers.accepted.filter((transfer) => !isRejected(transfer, model))
  const transfer = findOnlyItem(notRejected)
  return transfer && isUsedUp(transfer, model) ? transfer : undefined
}

/**
 * Finds the transfers that pay a code, whoever sent them: those that were accepted, those that were
 * refused, and those with an unknown outcome, as `{ accepted, refused, unknown }`. Undefined if there was none.
 */
export function findTransfersOfCode(emv: string, { values }: Model): ValueHistory | undefined {
  return values.findValueHistory(createSentCode(emv), { identity: undefined })
}

/**
 * Finds the transfer that a payment names by its `end_to_end_id`, among those that pay the same code. Undefined
 * if it names none, or one that the history does not show.
 *
 * @param payment The field of a paid QR code that shows its payment.
 */
export function findNamedTransfer(
  payment: unknown,
  emv: string,
  model: Model,
): Exchange | undefined {
  const id = stringAt(payment, '/end_to_end_id')
  const transfers = findTransfersOfCode(emv, model)
  if (!id || !transfers) return undefined
  return transfers.accepted.find((transfer) => readEndToEndId(transfer) === id)
}

/**
 * Finds the first field of a payment, as a QR code or an event shows it, that has another value than the
 * transfer that caused it. Values that are not known are not compared.
 *
 * @returns Such as `amount` or `name of the payer`; undefined if all agree.
 */
export function findDifferentField(
  payment: unknown,
  transfer: Exchange,
  model: Model,
): string | undefined {
  const shownAmount = centavosOf(stringAt(payment, '/amount'))
  const paidAmount = readSentAmount(transfer)
  const areBothKnown = shownAmount !== undefined && paidAmount !== undefined
  if (areBothKnown && shownAmount !== paidAmount) return 'amount'

  const shownId = stringAt(payment, '/end_to_end_id')
  if (compareShown(readEndToEndId(transfer), shownId) === 'different') return 'end_to_end_id'

  for (const name of ['name', 'tax_id'] as const) {
    const shown = stringAt(payment, `/payer/${name}`)
    const compare = name === 'tax_id' ? comparePayerTaxIds : comparePayerNames
    // The names, or tax IDs, that are right: `['Ana Lima', 'Loja Azul']`.
    const payers = listPayerValues(name, transfer, model)
    const isOfNoPayer = payers.every((payer) => compare(payer, shown) === 'different')
    if (payers.length > 0 && isOfNoPayer) return `${name} of the payer`
  }
  return undefined
}

/**
 * Lists what a payment may show in a field of its payer. A partner may pay for its customers: then the payment
 * names the payer of the transfer, or the customer that sent it.
 */
function listPayerValues(
  name: 'name' | 'tax_id',
  { identity, responseBody }: Exchange,
  model: Model,
): readonly string[] {
  const ofTransfer = stringAt(responseBody, `/data/payer/${name}`)
  const ofSender = readCustomerField(name, identity, model)
  return [ofTransfer, ofSender].filter((value) => value !== undefined)
}

/** Reads the id of the payment from the response to its transfer. */
function readEndToEndId({ responseBody }: Exchange): string | undefined {
  return stringAt(responseBody, '/data/end_to_end_id')
}

/** Compares a shown text with the expected one; unknown if one of both is empty. */
function compareShown(expected = '', shown = ''): Comparison {
  if (expected === '' || shown === '') return 'unknown'
  return isSameValue(expected, shown) ? 'same' : 'different'
}

/** Compares two names, in capital letters or not. Unknown if stars hide a part of one: `Fulano ** ***`. */
function comparePayerNames(one = '', other = ''): Comparison {
  const isMasked = one.includes('*') || other.includes('*')
  if (isMasked) return 'unknown'
  return hasSameLetters(one, other) ? 'same' : compareShown(one, other)
}

/**
 * Compares two tax IDs, each of which may be masked: `***.444.777-**` is the same as `11144477735`. A text that is
 * no tax ID, such as `Ana`, differs from one. Unknown if one is empty, or if no digit is shown in both.
 */
function comparePayerTaxIds(one = '', other = ''): Comparison {
  const comparison = compareTaxIds(one, other)
  const isMasked = isMaskedTaxId(one) || isMaskedTaxId(other)
  if (isMasked || comparison === 'same') return comparison

  // Without stars, what is not the same tax ID must be the same text.
  return compareShown(one, other)
}
