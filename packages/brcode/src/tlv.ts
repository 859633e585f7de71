import { twoDigits } from './digits.ts'
import { type BrCodeErrorCode, type IssueHandler, refuse } from './error.ts'
import { createIssue, type Place } from './issue.ts'

/**
 * One object of a code. The value of a template is not parsed.
 *
 * @example
 * const city: BrObject = { id: '60', value: 'BRASILIA', offset: 92 }
 * @see EMVCo QR Code Specification, Merchant-Presented Mode, 3.
 */
export interface BrObject {
  /** Two digits. */
  readonly id: string
  /** 1 to 99 characters, counted as code points. */
  readonly value: string
  /** The start of the object as an index into the code. */
  readonly offset: number
}

/** The objects of one level. */
export interface Level {
  /** The containing template. */
  readonly parent?: BrObject | undefined
  /** In order. */
  readonly objects: readonly BrObject[]
  /** By id. */
  readonly at: readonly (BrObject | undefined)[]
}

/** The objects inside another. */
export interface Template extends Level {
  readonly parent: BrObject
}

/** The characters before a value: two digits of id, two of length. */
export const HEAD_LENGTH = 4

/**
 * Reads one level of objects: two digits of id, two of length, and as many characters (EMVCo MPM,
 * section 3). `5802BR6008BRASILIA` has the objects 58 `BR` and 60 `BRASILIA`. At the first error,
 * it calls `handleIssue`; unless that throws, it returns the objects before the error.
 */
export function readLevel<P extends BrObject | undefined>(
  text: string,
  handleIssue: IssueHandler,
  parent: P,
) {
  const objects: BrObject[] = []
  const at: BrObject[] = []
  const hasSurrogates = SURROGATE.test(text)
  const base = parent ? parent.offset + HEAD_LENGTH : 0

  let from = 0
  while (from < text.length) {
    // Each is -1 if there are no two digits.
    const number = readTwoDigits(text, from)
    const length = readTwoDigits(text, from + 2)
    const start = from + HEAD_LENGTH
    const end = hasSurrogates ? endOfCodePoints(text, start, length) : start + length
    const object = {
      id: text.slice(from, from + 2),
      value: text.slice(start, end),
      offset: base + from,
    }

    const fault = at[number] ? REPEATED : findFault(number, length, end, text.length)
    if (fault) {
      // The issue shows the object as it is in the text, from its id on.
      const shownEnd = Math.max(start, end)
      const whole = { ...object, value: text.slice(from, shownEnd) }
      handleIssue(createIssue(whole, fault.code, fault.expected, parent))
      break
    }

    objects.push(object)
    at[number] = object
    from = end
  }
  return { parent, objects, at }
}

/** Writes one object: `5802BR` for the id 58 and the value `BR`. The length counts code points. */
export function writeObject(object: Written, parent?: Place): string {
  const { id, value } = object
  const length = SURROGATE.test(value) ? [...value].length : value.length
  if (length > 99) refuse(createIssue(object, 'size', 'at most 99 characters', parent))
  return id + twoDigits(length) + value
}

/** The parts of an object: an id of two digits and a value. */
export type Written = Pick<BrObject, 'id' | 'value'>

interface Fault {
  readonly code: BrCodeErrorCode
  readonly expected: string
}

const REPEATED: Fault = { code: 'duplicate', expected: 'a unique id' }

/**
 * The fault of an object with an id, a length and an end, in a text of a size; undefined if none.
 */
function findFault(number: number, length: number, end: number, size: number): Fault | undefined {
  if (number < 0) return { code: 'structure', expected: 'an id of two digits' }
  if (length < 0) return { code: 'structure', expected: 'a length of two digits' }
  if (length === 0) return { code: 'empty', expected: 'a length of 01 to 99' }
  if (end > size) return { code: 'structure', expected: `a value of ${length} characters` }
  return undefined
}

/** Parses two digits at an index; -1 if invalid. */
function readTwoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const units = text.charCodeAt(at + 1) - 48
  if (!isDigit(tens) || !isDigit(units)) return -1
  return tens * 10 + units
}

/** False for NaN, which is the character code after the end of a text. */
function isDigit(number: number): boolean {
  return number >= 0 && number <= 9
}

const SURROGATE = /[\ud800-\udbff]/

/**
 * The index after a number of characters, from an index on. Lengths count code points, of which
 * some take two units of a string: `😀` is one character.
 */
function endOfCodePoints(text: string, from: number, length: number): number {
  let at = from
  for (let left = length; left > 0; left--) {
    const isOutsideBasicPlane = (text.codePointAt(at) ?? 0) > 0xffff
    at += isOutsideBasicPlane ? 2 : 1
  }
  return at
}
