import { valueAt } from '@partner-payments/contract'
import type { Operation } from './operation.ts'

/**
 * Compares a response with its request: returns the JSON pointer of the first value that should
 * repeat a value of the request and differs; `undefined` if none does. An echo is such a pair of
 * pointers: `['/amount', '/data/amount']`.
 */
export function findDifferentEcho(
  { echoes = [], amounts = [] }: Operation,
  sent: unknown,
  shown: unknown,
): string | undefined {
  for (const [from, to] of echoes) {
    const isAmount = amounts.includes(from)
    if (differs(valueAt(sent, from), valueAt(shown, to), isAmount)) return to
  }
  return undefined
}

/**
 * Copies values of the request into the response of a fake service, in place, where a success of
 * the operation repeats them. An echo is a pair of pointers: from the request, to the response.
 */
export function copyEchoes({ echoes = [] }: Operation, sent: unknown, shown: unknown): void {
  for (const [from, to] of echoes) {
    const value = valueAt(sent, from)
    const { parent, name } = splitPointer(to)
    const holder = valueAt(shown, parent) as Record<string, unknown> | undefined
    if (value !== undefined && holder) holder[name] = value
  }
}

/** Splits a JSON pointer into that of the object, and the name of its field. */
function splitPointer(pointer: string) {
  const slash = pointer.lastIndexOf('/')
  return { parent: pointer.slice(0, slash), name: pointer.slice(slash + 1) }
}

/**
 * Whether a value of the response certainly is another one than was sent. Absent and masked values
 * prove nothing. `10.50` and `-10.5` are the same amount, `123.456.789-01` and `12345678901` the same
 * key.
 */
function differs(sent: unknown, shown: unknown, isAmount: boolean): boolean {
  if (!isScalar(sent) || isAbsent(shown)) return false
  if (!isScalar(shown)) return true

  const isMasked = `${shown}`.includes('*')
  if (isMasked) return false
  return isAmount ? isOtherAmount(`${sent}`, `${shown}`) : isOtherKey(`${sent}`, `${shown}`)
}

/** Compares two decimals as numbers, and other formats, such as `R$ 10,50`, by their digits. */
function isOtherAmount(sent: string, shown: string): boolean {
  const unsigned = shown.replace(/^-/, '')
  if (DECIMAL.test(sent) && DECIMAL.test(unsigned)) return isOtherNumber(sent, unsigned)
  return amountDigits(sent) !== amountDigits(unsigned)
}

const DECIMAL = /^\d+(\.\d+)?$/

/** The longest form of an amount, such as `R$ 1.234.567.890,12`. */
const LONGEST_AMOUNT = 40

/**
 * The digits of an amount in any format that ends with two decimals; the text itself if it has
 * another format: `R$ 1.050` is not 10.50.
 */
function amountDigits(text: string): string {
  const isAmount = text.length <= LONGEST_AMOUNT && /[.,]\d\d\D*$/.test(text)
  return isAmount ? text.replace(/\D/g, '').replace(/^0+/, '') : text
}

/**
 * Whether two texts certainly are different Pix keys. Letter case counts in no key, and punctuation
 * only in an e-mail address: ana.b@example.com and anab@example.com are two people. A telephone
 * number may lose the prefix of its country.
 */
function isOtherKey(sent: string, shown: string): boolean {
  const isAddress = sent.includes('@') || shown.includes('@')
  if (isAddress) return sent.trim().toLowerCase() !== shown.trim().toLowerCase()

  const sentPlain = plain(sent)
  const shownPlain = plain(shown)
  if (sentPlain === shownPlain) return false

  // Either side may be the one with the prefix.
  return !isPhoneWithPrefix(sent, shownPlain) && !isPhoneWithPrefix(shown, sentPlain)
}

/**
 * Whether an international telephone number is the national one with the prefix of its country, as
 * `+5511987654321` is `11987654321` with 55.
 */
function isPhoneWithPrefix(international: string, national: string): boolean {
  const isInternational = international.trim().startsWith('+')
  const isNational = /^\d{8,}$/.test(national)
  if (!isInternational || !isNational) return false

  const digits = plain(international)
  const prefixLength = digits.length - national.length
  const isPrefix = prefixLength >= 1 && prefixLength <= LONGEST_PREFIX
  return isPrefix && digits.endsWith(national)
}

/** Digits of the longest country codes (ITU-T E.164). */
const LONGEST_PREFIX = 3

/** From this length on, two different decimals may be the same floating-point number. */
const EXACT_LENGTH = 16

function isOtherNumber(sent: string, shown: string): boolean {
  if (sent === shown) return false
  if (sent.length >= EXACT_LENGTH) return true
  return Number(sent) !== Number(shown)
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function plain(value: string): string {
  return value.toLowerCase().replace(/[^a-z0-9]/g, '')
}
