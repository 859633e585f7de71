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

/** The objects of one level, in their order and by their id. */
export interface Level {
  readonly objects: readonly BrObject[]
  readonly at: readonly (BrObject | undefined)[]
}

/**
 * Reads one level of objects: two digits of id, two of length, and as many characters (EMVCo MPM, section 3).
 * Never looks inside a value. A fault that `report` lets pass ends the reading.
 */
export function readLevel(text: string, report: Report, parent?: BrObject): Level {
  const objects: BrObject[] = []
  const at: BrObject[] = []
  const measure = SURROGATE.test(text) ? endOfPoints : endOfUnits
  const base = parent ? parent.offset + 4 : 0
  let from = 0
  while (from < text.length) {
    const number = pair(text, from)
    const length = pair(text, from + 2)
    const end = measure(text, from + 4, length)
    const object = { id: text.slice(from, from + 2), value: text.slice(from + 4, end), offset: base + from }
    const fault = at[number] ? REPEATED : faultOf(number, length, end, text.length)
    if (fault) {
      report(issueAt({ ...object, value: text.slice(from, end || from + 4) }, ...fault, parent))
      break
    }
    objects.push(object)
    at[number] = object
    from = end
  }
  return { objects, at }
}

/** Writes one object. The length counts code points. */
export function writeObject(number: number, value: string): string {
  const id = twoDigits(number)
  const length = SURROGATE.test(value) ? [...value].length : value.length
  if (length > 99)
    refuse({ code: 'size', path: id, offset: undefined, expected: 'at most 99 characters', found: value })
  return id + twoDigits(length) + value
}

/** An object as far as it is known: one not written yet has no offset. */
export interface Place {
  readonly id: string
  readonly value?: string
  readonly offset?: number | undefined
}

/** What is wrong with an object, in the words of an error. */
export function issueAt(object: Place, code: BrCodeErrorCode, expected: string, parent?: Place): Issue {
  return { code, path: pathOf(object.id, parent), offset: object.offset, expected, found: object.value }
}

/** What is wrong where an object is absent; the offset is that of the template that should hold it. */
export function issueMissing(number: number, expected: string, parent?: Place): Issue {
  return {
    code: 'missing',
    path: pathOf(twoDigits(number), parent),
    offset: parent?.offset,
    expected,
    found: undefined,
  }
}

function pathOf(id: string, parent?: Place): string {
  return parent ? `${parent.id}-${id}` : id
}

/** As ids and lengths are written: 0 to 99 in two digits. */
export function twoDigits(number: number): string {
  return TWO_DIGITS[number] ?? `${number}`
}

const TWO_DIGITS = /* @__PURE__ */ Array.from({ length: 100 }, (_, number) => `${number}`.padStart(2, '0'))

type Fault = readonly [code: BrCodeErrorCode, expected: string]

const REPEATED: Fault = ['duplicate', 'an id not seen before']

function faultOf(number: number, length: number, end: number, size: number): Fault | undefined {
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
