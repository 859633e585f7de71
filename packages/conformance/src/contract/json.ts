import { isDeepStrictEqual } from 'node:util'
import { isObject, leavesOf, parseTime } from '@partner-payments/contract'
import { normalizeText } from './unicode.ts'

export {
  endOfString,
  fieldsOf,
  isObject,
  isTooDeep,
  type Json,
  leavesOf,
  parsedJson,
  parseTime,
  repeatsAnyField,
  stringAt,
  timeAt,
  valueAt,
  withValue,
} from '@partner-payments/contract'
export { durationMs } from '@partner-payments/contract/duration'

/** Whether a pointer leads to a place or inside it: `/amount/fine/modality` is inside `/amount`. */
export function isAtOrInside(pointer: string, place: string): boolean {
  return pointer === place || pointer.startsWith(`${place}/`)
}

/** The items of an array; none of any other value. */
export function listItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The item of a list that has just one; undefined if there is none, or several. */
export function findOnlyItem<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined
}

/**
 * Lists the first leaves of a value that are wanted, with their pointers, up to a limit. No pointer is written for the
 * others: of a hostile body, a million take seconds.
 *
 * @param isWanted Whether a leaf is wanted, by its value and the name of its field; an item has no name.
 */
export function listFirstLeaves(
  value: unknown,
  limit: number,
  isWanted: (leaf: unknown, name?: string) => boolean,
): ReturnType<typeof leavesOf> {
  let count = 0
  return leavesOf(value, '', (leaf, name) => {
    if (count === limit || !isWanted(leaf, name)) return false
    count++
    return true
  })
}

/** What is known of whether two values are the same. */
export type Comparison = 'same' | 'different' | 'unknown'

const DECIMAL = /^\d+(\.\d+)?$/
const DATE = /^\d{4}-\d\d-\d\d/

/**
 * Whether a service shows a value as it was sent. It may write it in another way: an amount with
 * other zeros, a time with another offset, an e-mail in lower case, a normalized URL (RFC 3986,
 * section 6.2), or a string without outer spaces. A shown object may have further fields.
 */
export function isSameValue(sent: unknown, shown: unknown): boolean {
  return createComparison()(sent, shown)
}

/**
 * Creates a function that compares values as `isSameValue` does, for many with many: it works out the notations of each
 * text once, however often the text is compared.
 */
export function createComparison(): (sent: unknown, shown: unknown) => boolean {
  const notationsByText = new Map<string, Notations>()

  function findNotations(text: string): Notations {
    const notations = notationsByText.get(text) ?? new Notations(text)
    notationsByText.set(text, notations)
    return notations
  }

  function isSame(sent: unknown, shown: unknown): boolean {
    if (isDeepStrictEqual(sent, shown)) return true

    if (typeof sent === 'string') {
      if (typeof shown === 'string') return isSameText(findNotations(sent), findNotations(shown))
      // The schema judges that an amount is a number instead of a string.
      return typeof shown === 'number' && DECIMAL.test(sent) && Number(sent) === shown
    }

    if (Array.isArray(sent) && Array.isArray(shown))
      return sent.length === shown.length && sent.every((item, i) => isSame(item, shown[i]))

    if (!isObject(sent) || !isObject(shown)) return false
    return Object.keys(sent).every((name) => isSame(sent[name], shown[name]))
  }

  return isSame
}

/** What a text may stand for, if it has that form. */
type NotationKind = 'number' | 'time' | 'url' | 'text'

/** A text with its notations, each of which is worked out when it is first asked for. */
class Notations {
  readonly text: string
  #composed: string | undefined
  #kind: NotationKind | undefined
  #ms: number | undefined
  #url: string | undefined
  #lowerCase: string | undefined
  #plain: string | undefined

  constructor(text: string) {
    this.text = text
  }

  /** In one normal form of Unicode. A gateway or a store may write letters with accents in another one. */
  get composed(): string {
    this.#composed ??= normalizeText(this.text, 'NFC')
    return this.#composed
  }

  /** What the text may stand for. */
  get kind(): NotationKind {
    this.#kind ??= findNotationKind(this.composed)
    return this.#kind
  }

  /** As a time, in milliseconds since 1970. */
  get ms(): number {
    this.#ms ??= parseTime(this.composed)
    return this.#ms
  }

  /** As a normalized URL. */
  get url(): string {
    this.#url ??= new URL(this.composed).href
    return this.#url
  }

  /** In lower case, as a service may store an e-mail. */
  get inLowerCase(): string {
    this.#lowerCase ??= this.composed.toLowerCase()
    return this.#lowerCase
  }

  /** Without what people write around a value, or between the digits of a document. */
  get plain(): string {
    this.#plain ??= withoutPunctuation(this.composed)
    return this.#plain
  }
}

/** Finds what a text may stand for, by its form: `number` for `10.00`. */
function findNotationKind(text: string): NotationKind {
  if (DECIMAL.test(text)) return 'number'
  if (DATE.test(text)) return 'time'
  return URL.canParse(text) ? 'url' : 'text'
}

/**
 * Whether two texts are notations of one value: `10.0` and `10.00`, `10:00Z` and `07:00-03:00`, or
 * `123.456-78` and `12345678`.
 */
function isSameText(sentText: Notations, shownText: Notations): boolean {
  if (haveOtherSize(sentText.text, shownText.text)) return false

  const { composed: sent, kind } = sentText
  const { composed: shown } = shownText
  if (sent === shown) return true

  const areOfOneKind = kind === shownText.kind
  if (areOfOneKind && kind === 'number') return isSameDecimal(sent, shown)
  if (areOfOneKind && kind === 'url') return sentText.url === shownText.url

  // A day may be shown as a time of that day: `2027-01-31` as `2027-01-31T00:00:00-03:00`.
  if (areOfOneKind && kind === 'time')
    return isSameTime(sentText, shownText) || shown.startsWith(`${sent}T`)

  // A service may store an e-mail in lower case.
  const isEmail = sent.includes('@')
  if (isEmail && sentText.inLowerCase === shown) return true
  return sentText.plain === shownText.plain
}

/** A longer text is no amount, time or document, whose notations may be of very different lengths. */
const MAX_NOTATION_LENGTH = 1_000
/** A text is at most so many times as long in one normal form of Unicode as in another. */
const MAX_GROWTH = 4

/**
 * Whether one of two texts is so much longer that both cannot be notations of one value. Without this, a text of 2 MB
 * would be read as often as a response has fields.
 */
function haveOtherSize(one: string, other: string): boolean {
  const longer = Math.max(one.length, other.length)
  return longer > MAX_NOTATION_LENGTH && longer > MAX_GROWTH * Math.min(one.length, other.length)
}

/** Whether two numbers are equal, such as `10.0` and `10.00`. Without a point, their zeros count: `01` is no `1`. */
function isSameDecimal(one: string, other: string): boolean {
  // Digits without a point are an id or a document.
  const hasPoint = one.includes('.') || other.includes('.')
  return hasPoint && Number(one) === Number(other)
}

/**
 * Whether two texts are notations of one time. A service may write it to the second in one response,
 * and to the millisecond in another.
 */
function isSameTime(one: Notations, other: Notations): boolean {
  const differenceMs = Math.abs(one.ms - other.ms)
  // Asked first, since finding the units takes longer.
  const isNear = differenceMs < MAX_UNIT_MS
  return isNear && differenceMs < Math.max(precisionMs(one.composed), precisionMs(other.composed))
}

/** The unit of a time without a fraction of a second. */
const MAX_UNIT_MS = 1_000

/** The milliseconds that the last digit of a time stands for: `10:00:00.5` has 100. */
function precisionMs(time: string): number {
  const [, fraction = ''] = /:\d\d\.(\d{1,3})/.exec(time) ?? []
  return MAX_UNIT_MS / 10 ** fraction.length
}

/** Removes outer spaces, and what people write between the digits of a document: `123.456-78`. */
function withoutPunctuation(text: string): string {
  return text.trim().replaceAll(/(?<=\d)[ ./-](?=\d)/g, '')
}

/**
 * Whether two responses show the same value. Only a time may be written in another way, and a text in
 * another normal form of Unicode. Objects must have the same fields.
 */
export function isSameShown(one: unknown, other: unknown): boolean {
  if (isDeepStrictEqual(one, other)) return true
  if (typeof one === 'string' && typeof other === 'string') return isSameShownText(one, other)

  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, i) => isSameShown(item, other[i]))

  if (!isObject(one) || !isObject(other)) return false
  const names = Object.keys(one)
  const hasSameNames = isDeepStrictEqual(names.toSorted(), Object.keys(other).sort())
  return hasSameNames && names.every((name) => isSameShown(one[name], other[name]))
}

function isSameShownText(one: string, other: string): boolean {
  if (normalizeText(one, 'NFC') === normalizeText(other, 'NFC')) return true
  return DATE.test(one) && DATE.test(other) && isSameTime(new Notations(one), new Notations(other))
}

/** What services write for no value, in lower case. The last one is the zero of Go's time. */
const NO_VALUE = new Set(['', 'n/a', 'none', 'nil', 'null', '0001-01-01t00:00:00z'])

/** Whether a value is such a word, other than the empty string. */
export function isWithoutValue(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !isFilled(value)
}

/** Whether a text is a value, and not empty or a word for no value, such as `n/a` or `--`. */
export function isFilled(text: string): boolean {
  const isDashes = /^-+$/.test(text)
  return !isDashes && !NO_VALUE.has(text.toLowerCase())
}
