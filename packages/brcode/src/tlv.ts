import { type BrCodeErrorCode, type Issue, type Report, refuse } from './error.ts'

/** One object of a code, as it stands there. The value of a template is not taken apart. */
export interface BrObject {
  /** Two digits. */
  readonly id: string
  /** 1 to 99 characters. */
  readonly value: string
  /** Where the object begins in the code, as an index into the string. */
  readonly offset: number
}

/**
 * Reads one level of objects: two digits of id, two of length, and as many characters (EMVCo MPM, section 3).
 * Never looks inside a value. A fault that `report` lets pass ends the reading.
 */
export function readObjects(text: string, report: Report, parent?: BrObject): BrObject[] {
  const objects: BrObject[] = []
  const measure = SURROGATE.test(text) ? endOfPoints : endOfUnits
  const base = parent ? parent.offset + 4 : 0
  let at = 0
  let highest = -1
  while (at < text.length) {
    const id = text.slice(at, at + 2)
    const length = pair(text, at + 2)
    const end = measure(text, at + 4, length)
    const number = pair(text, at)
    const fault =
      faultAt(number, length, end, text.length) ?? (number <= highest && find(objects, id) && REPEATED)
    if (fault) {
      const object = { id, value: text.slice(at, end || at + 4), offset: base + at }
      report(issueAt(object, ...fault, parent))
      return objects
    }
    objects.push({ id, value: text.slice(at + 4, end), offset: base + at })
    at = end
    if (number > highest) highest = number
  }
  return objects
}

/** Writes one object. The length counts code points. */
export function writeObject(id: string, value: string): string {
  const length = SURROGATE.test(value) ? [...value].length : value.length
  if (length > 99)
    refuse({ code: 'size', path: id, offset: undefined, expected: 'at most 99 characters', found: value })
  return `${id}${length < 10 ? 0 : ''}${length}${value}`
}

export function find(objects: readonly BrObject[], id: string): BrObject | undefined {
  for (const object of objects) if (object.id === id) return object
  return undefined
}

/** An object as far as it is known: one not written yet has no offset. */
export type Place = { readonly id: string; readonly value?: string; readonly offset?: number }

/** What is wrong with an object, in the words of an error. */
export function issueAt(object: Place, code: BrCodeErrorCode, expected: string, parent?: Place): Issue {
  return { code, path: pathOf(object.id, parent), offset: object.offset, expected, found: object.value }
}

/** What is wrong where an object is absent; the offset is that of the template that should hold it. */
export function issueMissing(id: string, expected: string, parent?: Place): Issue {
  return { code: 'missing', path: pathOf(id, parent), offset: parent?.offset, expected, found: undefined }
}

function pathOf(id: string, parent?: Place): string {
  return parent ? `${parent.id}-${id}` : id
}

type Fault = readonly [code: BrCodeErrorCode, expected: string]

const REPEATED: Fault = ['duplicate', 'an id not seen before']

function faultAt(number: number, length: number, end: number, size: number): Fault | undefined {
  if (Number.isNaN(number)) return ['structure', 'an id of two digits']
  if (Number.isNaN(length)) return ['structure', 'a length of two digits']
  if (length === 0) return ['empty', 'a length of 01 to 99']
  if (end > size) return ['structure', `a value of ${length} characters`]
  return undefined
}

/** The two digits at an index as a number, `NaN` for anything else. */
function pair(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const units = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? tens * 10 + units : Number.NaN
}

const SURROGATE = /[\ud800-\udbff]/

function endOfUnits(_text: string, from: number, length: number): number {
  return from + length
}

/** Lengths count code points: one beyond the basic plane is one character and two units of the string. */
function endOfPoints(text: string, from: number, length: number): number {
  let at = from
  for (let left = length; left > 0; left--) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at
}
