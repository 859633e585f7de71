import { bytesOf } from './bytes.ts'
import { checksum } from './crc16.ts'
import { readObjects, tryDecode } from './decode.ts'
import { BrCodeError, refuse } from './error.ts'
import { isAmount, PIX } from './object-rules.ts'
import { MAX_CHARACTERS, readableObjects } from './readable-objects.ts'
import { restoreSpaces } from './restore-spaces.ts'
import { readLevel } from './tlv.ts'

/**
 * The faults for which there are hints:
 *
 * - `length-in-bytes`: lengths count UTF-8 bytes, not characters
 * - `length-in-utf-16`: lengths count UTF-16 units, not characters
 * - `checksum-over-latin-1`: the checksum was computed over Latin-1, not UTF-8
 * - `checksum-zero-lost`: the checksum has lost its leading zeros
 * - `text-after`: something stands behind the checksum
 * - `url-encoded`: the code is URL-encoded
 * - `text-before`: something stands before the code
 * - `spaces-collapsed`: runs of spaces have become single spaces
 * - `first-zero-lost`: the code has lost its first zeros
 * - `amount-with-comma`: the amount has a comma
 *
 * @example
 * const inTransit: readonly HintFault[] = ['text-after', 'text-before', 'url-encoded']
 */
export type HintFault =
  | 'length-in-bytes'
  | 'length-in-utf-16'
  | 'checksum-over-latin-1'
  | 'checksum-zero-lost'
  | 'text-after'
  | 'url-encoded'
  | 'text-before'
  | 'spaces-collapsed'
  | 'first-zero-lost'
  | 'amount-with-comma'

/**
 * Why a code is refused, as an experiment has shown.
 *
 * @example
 * const show = ({ fault, sentence }: Hint) => `${fault}: ${sentence}`
 */
export interface Hint {
  /** The stable name of the fault. */
  readonly fault: HintFault
  /** What is wrong and what to do, for developers. Contains no value of the code. */
  readonly sentence: string
}

/**
 * Finds out why the lenient profile refuses a code, for the faults that most public reports are
 * about. Undoes each fault in a copy of the code and gives a hint only if its checksum then fits,
 * so a hint is never a guess. (A lost first zero needs only the structure to fit; the sentence then
 * says that the checksum does not.) Returns several hints for a code with several faults, in the
 * order in which to correct them, and none for a code that can be read.
 *
 * A hint is for whoever issues or transports the code. Do not pay a code that you corrected
 * yourself.
 *
 * @example
 * declare const pasted: string
 * const result = tryDecode(pasted, { profile: 'lenient' })
 * if (!result.ok) for (const { sentence } of findHints(pasted)) console.log(sentence)
 */
export function findHints(code: string): readonly Hint[] {
  if (typeof code !== 'string' || code.length > MAX_CHARACTERS) return []
  return hintsAt(code, 0)
}

/** How many faults may be around each other, such as text before a code that is URL-encoded. */
const MAX_DEPTH = 3

function hintsAt(text: string, depth: number): readonly Hint[] {
  const result = tryDecode(text, { profile: 'lenient' })
  if (result.ok || depth > MAX_DEPTH) return []

  const fault = SINGLE_FAULTS.find(({ isPresent }) => isPresent(text, result.error))
  if (fault) return [fault.hint(text)]

  for (const { hint, unwrap } of WRAPPERS) {
    for (const inside of unwrap(text)) {
      const inner = hintsAt(inside, depth + 1)
      if (inner.length > 0 || hasFittingChecksum(inside)) return [hint(text), ...inner]
    }
  }
  return []
}

interface SingleFault {
  /** Whether the code fits once this fault is undone. */
  isPresent(text: string, error: BrCodeError): boolean
  hint(text: string): Hint
}

/** In the order of their evidence: the first needs no change of the code. */
const SINGLE_FAULTS: readonly SingleFault[] = [
  { isPresent: hasTextAfter, hint: hintOfTextAfter },
  { isPresent: hasLengthsInBytes, hint: hintOfBytes },
  { isPresent: hasLengthsInUnits, hint: hintOfUnits },
  { isPresent: isChecksumOverLatin1, hint: hintOfLatin1 },
  { isPresent: hasLostChecksumZero, hint: hintOfChecksumZero },
  { isPresent: hasLostFirstZero, hint: hintOfFirstZero },
  { isPresent: hasAmountWithComma, hint: hintOfComma },
  { isPresent: hasCollapsedSpaces, hint: hintOfSpaces },
]

interface Wrapper {
  /** The texts that may be inside. */
  unwrap(text: string): readonly string[]
  hint(text: string): Hint
}

const WRAPPERS: readonly Wrapper[] = [
  { unwrap: withoutTextBefore, hint: hintOfTextBefore },
  { unwrap: urlDecoded, hint: hintOfUrl },
]

/** Whether the objects can be read and the checksum fits, whatever the values are. */
function hasFittingChecksum(text: string): boolean {
  return isAccepted(() => readObjects(text, ignoreIssue))
}

function ignoreIssue(): void {}

function isAccepted(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch (error) {
    if (error instanceof BrCodeError) return false
    throw error
  }
}

// Something behind the checksum.

function hasTextAfter(text: string): boolean {
  const end = endOfChecksum(text)
  return end < text.length && hasFittingChecksum(text.slice(0, end))
}

function hintOfTextAfter(text: string): Hint {
  const after = text.slice(endOfChecksum(text))
  return {
    fault: 'text-after',
    sentence: `${wordsFor(after)} behind the checksum, which must be the end of the code. The checksum fits the code before it.`,
  }
}

function wordsFor(after: string): string {
  if (after.trim() === '') return 'White space stands'
  if (after.trim().startsWith(START)) return 'A second code stands'
  return 'Text stands'
}

/** The end of object 63, or of the text if it has none that can be read. */
function endOfChecksum(text: string): number {
  const object = readableObjects(text).find(({ id }) => id === '63')
  return object ? object.offset + 4 + object.value.length : text.length
}

// Lengths in another unit than characters.

function hasLengthsInBytes(text: string): boolean {
  return isValidByUnits(bytesOf(text), text)
}

function hintOfBytes(text: string): Hint {
  return {
    fault: 'length-in-bytes',
    sentence: `${placeOfLength(bytesOf(text))} counts UTF-8 bytes; a length must count characters. Then compute the checksum again.`,
  }
}

function hasLengthsInUnits(text: string): boolean {
  return isValidByUnits(unitsOf(text), text)
}

function hintOfUnits(text: string): Hint {
  return {
    fault: 'length-in-utf-16',
    sentence: `${placeOfLength(unitsOf(text))} counts UTF-16 units, as the length of a string in JavaScript or Java does; a length must count characters. Then compute the checksum again.`,
  }
}

/** One character of the basic plane for each UTF-16 unit. */
function unitsOf(text: string): string {
  return text.replace(/[\ud800-\udfff]/g, '\ufffd')
}

/** Whether the code can be read if each of its units counts, and has the checksum of its text. */
function isValidByUnits(units: string, text: string): boolean {
  if (units.length === [...text].length) return false

  const bytes = bytesOf(text)
  const isComplete = text.slice(-4).toUpperCase() === checksum(bytes, bytes.length - 4)
  return isComplete && isAccepted(() => readWithTemplates(units))
}

function readWithTemplates(units: string): void {
  const { objects } = readLevel(units, refuse, undefined)
  for (const object of objects) {
    const isTemplate = object.id === '62' || object.value.toLowerCase().includes(PIX)
    if (isTemplate) readLevel(object.value, refuse, object)
  }
}

/** The first object whose length differs from the number of its characters. */
function placeOfLength(units: string): string {
  const object = readableObjects(units).find(({ value }) => /[^\0-\x7f]/.test(value))
  return `The length of object ${object?.id}`
}

// The checksum.

function isChecksumOverLatin1(text: string, { code, found }: BrCodeError): boolean {
  const isLatin1 = /^[\0-\xff]+$/.test(text)
  // Each of these characters is one byte of Latin-1.
  return code === 'crc' && isLatin1 && found?.toUpperCase() === checksum(text, text.length - 4)
}

function hintOfLatin1(): Hint {
  return {
    fault: 'checksum-over-latin-1',
    sentence:
      'The checksum was computed over Latin-1 (ISO 8859-1), one byte for each character; compute it over UTF-8.',
  }
}

function hasLostChecksumZero(text: string): boolean {
  const [, digits] = SHORT_CHECKSUM.exec(text) ?? []
  if (digits === undefined) return false
  return hasFittingChecksum(text.slice(0, -digits.length) + digits.padStart(4, '0'))
}

const SHORT_CHECKSUM = /6304([\dA-Fa-f]{1,3})$/

function hintOfChecksumZero(): Hint {
  return {
    fault: 'checksum-zero-lost',
    sentence: 'The checksum has lost a leading zero; write it with four hexadecimal digits.',
  }
}

// The beginning.

/** What every code begins with: the format, object 00. */
const START = '000201'

function hasLostFirstZero(text: string): boolean {
  return withZeros(text) !== undefined
}

/**
 * The code with its first zeros, if it can be read then. Where the structure fits to the end, the
 * zeros were lost even if the checksum does not fit.
 */
function withZeros(code: string): string | undefined {
  const candidates = ['0', '00', '000'].map((zeros) => zeros + code)
  return candidates.find((text) => text.startsWith(START) && hasWholeStructure(text))
}

function hasWholeStructure(text: string): boolean {
  if (hasFittingChecksum(text)) return true
  const result = tryDecode(text)
  // The checksum is compared after the structure.
  return !result.ok && result.error.code === 'crc'
}

function hintOfFirstZero(text: string): Hint {
  const sentence =
    'The code has lost its first zero, as when a program takes it for a number; keep it as text.'
  const fits = hasFittingChecksum(withZeros(text) ?? '')
  return {
    fault: 'first-zero-lost',
    sentence: fits ? sentence : `${sentence} The checksum does not fit with the zero either.`,
  }
}

function withoutTextBefore(text: string): readonly string[] {
  const start = text.indexOf(START)
  return start > 0 ? [text.slice(start)] : []
}

function hintOfTextBefore(text: string): Hint {
  const start = text.indexOf(START)
  const isByteOrderMark = text.slice(0, start) === '\ufeff'
  const before = isByteOrderMark ? 'A byte order mark (U+FEFF) stands' : 'Text stands'
  return {
    fault: 'text-before',
    sentence: `${before} before the code, which begins with ${START} (offset ${start}).`,
  }
}

function urlDecoded(text: string): readonly string[] {
  const spellings = [text, text.replaceAll('+', ' ')]
  return spellings.flatMap(decodePercents).filter((decoded) => decoded !== text)
}

function decodePercents(text: string): readonly string[] {
  try {
    return [decodeURIComponent(text)]
  } catch {
    return []
  }
}

function hintOfUrl(): Hint {
  return { fault: 'url-encoded', sentence: 'The code is URL-encoded; decode it once.' }
}

// The amount.

function hasAmountWithComma(text: string, error: BrCodeError): boolean {
  const { code, path, found = '' } = error
  if (code === 'value' && path === '54') return found.includes(',') && isAmount(withDot(found))
  if (code !== 'crc') return false

  // Somebody wrote the comma after the checksum was computed.
  const amount = readableObjects(text).find(({ id }) => id === '54')
  if (!amount?.value.includes(',')) return false
  const start = amount.offset + 4
  const end = start + amount.value.length
  const changed = text.slice(0, start) + amount.value.replace(',', '.') + text.slice(end)
  return hasFittingChecksum(changed)
}

/** `1.234,56` with the dot of the standard: `1234.56`. */
function withDot(amount: string): string {
  return amount.replaceAll('.', '').replace(',', '.')
}

function hintOfComma(): Hint {
  return {
    fault: 'amount-with-comma',
    sentence: 'The amount (object 54) has a comma; write a dot before the two decimals.',
  }
}

// Spaces.

function hasCollapsedSpaces(text: string): boolean {
  return restoreSpaces(text, hasFittingChecksum) !== undefined
}

function hintOfSpaces(): Hint {
  return {
    fault: 'spaces-collapsed',
    sentence:
      'Runs of spaces have become single spaces, as in HTML or a chat; copy the code from its source, or issue it without runs of spaces.',
  }
}
