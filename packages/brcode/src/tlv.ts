import { twoDigits } from './digits.ts'
import { type BrCodeErrorCode, type Report, refuse } from './error.ts'
import { issueAt, type Place } from './issue.ts'

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

/** The objects of one level, in order and by id. */
export interface Level {
  /** The containing template. */
  readonly parent?: BrObject | undefined
  readonly objects: readonly BrObject[]
  readonly at: readonly (BrObject | undefined)[]
}

/** The objects inside another. */
export interface Template extends Level {
  readonly parent: BrObject
}

/**
 * Reads one level of objects: two digits of id, two of length, and as many characters (EMVCo MPM,
 * section 3). Does not parse values. Stops at an error that `report` does not throw.
 */
export function readLevel<P extends BrObject | undefined>(text: string, report: Report, parent: P) {
  const objects: BrObject[] = []
  const at: BrObject[] = []
  const wide = SURROGATE.test(text)
  const base = parent ? parent.offset + 4 : 0
  let from = 0
  while (from < text.length) {
    const number = pair(text, from)
    const length = pair(text, from + 2)
    const end = wide ? endOfPoints(text, from + 4, length) : from + 4 + length
    const object = {
      id: text.slice(from, from + 2),
      value: text.slice(from + 4, end),
      offset: base + from,
    }
    const fault = at[number] ? REPEATED : faultOf(number, length, end, text.length)
    if (fault) {
      report(
        issueAt({ ...object, value: text.slice(from, Math.max(end, from + 4)) }, ...fault, parent),
      )
      break
    }
    objects.push(object)
    at[number] = object
    from = end
  }
  return { parent, objects, at }
}

/** Writes one object. The length counts code points. */
export function writeObject(object: Written, parent?: Place): string {
  const { id, value } = object
  const length = SURROGATE.test(value) ? [...value].length : value.length
  if (length > 99) refuse(issueAt(object, 'size', 'at most 99 characters', parent))
  return id + twoDigits(length) + value
}

/** The parts of an object: an id of two digits and a value. */
export type Written = Pick<BrObject, 'id' | 'value'>

type Problem = readonly [code: BrCodeErrorCode, expected: string]

const REPEATED: Problem = ['duplicate', 'a unique id']

function faultOf(number: number, length: number, end: number, size: number): Problem | undefined {
  if (number < 0) return ['structure', 'an id of two digits']
  if (length < 0) return ['structure', 'a length of two digits']
  if (length === 0) return ['empty', 'a length of 01 to 99']
  if (end > size) return ['structure', `a value of ${length} characters`]
  return undefined
}

/** Parses two digits at an index; -1 if invalid. */
function pair(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const units = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? tens * 10 + units : -1
}

const SURROGATE = /[\ud800-\udbff]/

/** Lengths count code points; one outside the basic plane has two string units. */
function endOfPoints(text: string, from: number, length: number): number {
  let at = from
  for (let left = length; left > 0; left--) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at
}
