import { parseTime } from '../time.ts'
import { stepsOf, valueAt } from './pointer.ts'

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>

/** Whether a value is an object, and no array. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of an object; none if the value is something else. */
export function fieldsOf(value: unknown): Json {
  return isObject(value) ? value : {}
}

/** A copy of a value with another one at a JSON pointer; undefined removes it. */
export function withValue(value: unknown, pointer: string, other: unknown): unknown {
  return withValueAt(value, stepsOf(pointer), other)
}

/**
 * Copies a value, with another value at the place to which the steps lead. Undefined removes it.
 *
 * @example
 * withValueAt({ a: { b: 1 } }, ['a', 'b'], 2) // { a: { b: 2 } }
 */
function withValueAt(value: unknown, [step, ...rest]: readonly string[], other: unknown): unknown {
  if (step === undefined) return other

  const child = withValueAt(fieldsOrItems(value)[step], rest, other)
  if (Array.isArray(value)) return withItem(value, Number(step), child)
  return withField(fieldsOf(value), step, child)
}

/** A copy of an array with another item; undefined removes it. */
function withItem(array: readonly unknown[], index: number, item: unknown): unknown[] {
  return item === undefined ? array.toSpliced(index, 1) : array.toSpliced(index, 1, item)
}

/** A copy of an object with another field; undefined removes it. */
function withField(object: Json, name: string, value: unknown): Json {
  if (value !== undefined) return { ...object, [name]: value }
  const { [name]: _, ...others } = object
  return others
}

function fieldsOrItems(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

/** The string at a pointer; undefined if there is none. */
export function stringAt(value: unknown, pointer: string): string | undefined {
  const target = valueAt(value, pointer)
  return typeof target === 'string' ? target : undefined
}

/** The time at a pointer, in milliseconds; undefined if there is none. */
export function timeAt(value: unknown, pointer: string): number | undefined {
  const time = parseTime(stringAt(value, pointer) ?? '')
  return Number.isNaN(time) ? undefined : time
}

/**
 * Parses JSON. Returns undefined if the text is no JSON, or nested so deeply that no recursive
 * function could go through it.
 */
export function parsedJson(text: string): unknown {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Levels of arrays and objects through which recursive functions go. */
const MAX_LEVELS = 200

/**
 * Whether a text of JSON has more nested levels than a recursive function could go through. Reads
 * the text once, since parsing what is deep takes long.
 */
export function isTooDeep(text: string, maxLevels = MAX_LEVELS): boolean {
  // Each level has two brackets.
  if (text.length < 2 * maxLevels) return false

  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    // Brackets in a string are no levels.
    if (character === '"') i = endOfString(text, i) - 1
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
    if (depth > maxLevels) return true
  }
  return false
}

/**
 * The index after the closing quote of the string of JSON that opens at `start`; the length of the
 * text if the string never ends. Each character is read once: a regular expression would read a
 * string without end again from each of its quotes.
 */
export function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const character = text[i]
    if (character === '\\') i++
    else if (character === '"') return i + 1
  }
  return text.length
}
