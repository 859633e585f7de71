import { isDeepStrictEqual } from 'node:util'
import { pointerOf, stepsOf, valueAt } from '@partner-payments/text'
import { durationMs } from '@partner-payments/text/duration'

export { durationMs, valueAt }

export type Json = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of an object; none if the value is something else. */
export function fieldsOf(value: unknown): Json {
  return isObject(value) ? value : {}
}

/** A copy of a value with another one at a JSON pointer; undefined removes it. */
export function withValue(value: unknown, pointer: string, other: unknown): unknown {
  const [step, ...rest] = stepsOf(pointer)
  if (step === undefined) return other
  const deeper = withValue(
    fieldsOrItems(value)[step],
    rest.reduce((at, it) => pointerOf(at, it), ''),
    other,
  )
  if (Array.isArray(value))
    return value.toSpliced(Number(step), 1, ...(deeper === undefined ? [] : [deeper]))
  const { [step]: _, ...others } = fieldsOf(value)
  return deeper === undefined ? others : { ...fieldsOf(value), [step]: deeper }
}

function fieldsOrItems(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

export function stringAt(value: unknown, pointer: string): string | undefined {
  const found = valueAt(value, pointer)
  return typeof found === 'string' ? found : undefined
}

/** The time at a pointer, in milliseconds; undefined if there is none. */
export function timeAt(value: unknown, pointer: string): number | undefined {
  const time = Date.parse(stringAt(value, pointer) ?? '')
  return Number.isNaN(time) ? undefined : time
}

/**
 * The parsed text; undefined if it is no JSON, or nested so deeply that no reader could go through
 * it.
 */
export function parsedJson(text: string): unknown {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Levels of arrays and objects. */
const DEEPEST = 200

/** Reads the text, since parsing what is deep takes long. */
function isTooDeep(text: string): boolean {
  if (text.length < 2 * DEEPEST) return false
  let depth = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    if (depth > DEEPEST) return true
  }
  return false
}

/**
 * The leaves of a value, by their pointers. An array has one more, which is undefined, for the
 * place after its last item.
 */
export function leavesOf(value: unknown, at = ''): [pointer: string, leaf: unknown][] {
  const end: [string, unknown][] =
    Array.isArray(value) && value.length > 0 ? [[`${at}/${value.length}`, undefined]] : []
  const inside = Object.entries(typeof value === 'object' && value !== null ? value : {})
  if (inside.length === 0) return [[at, value]]
  return [...end, ...inside.flatMap(([name, it]) => leavesOf(it, pointerOf(at, name)))]
}

/** Whether an object in valid JSON has a field twice. */
export function hasRepeatedField(text: string): boolean {
  const strings = text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)
  const written = [...strings].filter(([, colon]) => colon !== undefined).length
  const parsed = parsedJson(text)
  return parsed !== undefined && written > countFields(parsed)
}

function countFields(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce((sum: number, it) => sum + countFields(it), own)
}

const DECIMAL = /^\d+(\.\d+)?$/
const DATE = /^\d{4}-\d\d-\d\d/

/**
 * Whether a service shows a value as it was sent. It may write it in another way: an amount with
 * other zeros, a time with another offset, an e-mail in lower case, a normalized URL (RFC 3986,
 * section 6.2), or a string without outer spaces.
 */
export function isSameValue(sent: unknown, shown: unknown): boolean {
  if (isDeepStrictEqual(sent, shown)) return true
  if (Array.isArray(sent) && Array.isArray(shown))
    return sent.length === shown.length && sent.every((it, i) => isSameValue(it, shown[i]))
  if (isObject(sent) && isObject(shown))
    return Object.keys(sent).every((name) => isSameValue(sent[name], shown[name]))
  if (typeof sent !== 'string' || typeof shown !== 'string') return false
  if (DECIMAL.test(sent) && DECIMAL.test(shown))
    return (sent + shown).includes('.') && Number(sent) === Number(shown)
  if (DATE.test(sent) && DATE.test(shown))
    return Date.parse(sent) === Date.parse(shown) || shown.startsWith(`${sent}T`)
  if (URL.canParse(sent) && URL.canParse(shown)) return new URL(sent).href === new URL(shown).href
  const plain = (it: string) => it.trim().replaceAll(/(?<=\d)[ ./-](?=\d)/g, '')
  return plain(sent) === plain(shown) || (sent.includes('@') && sent.toLowerCase() === shown)
}

/** Whether two responses show the same value, if need be as another notation of one time. */
export function isSameShown(one: unknown, other: unknown): boolean {
  if (isDeepStrictEqual(one, other)) return true
  const times = [one, other].map((it) =>
    typeof it === 'string' && DATE.test(it) ? Date.parse(it) : Number.NaN,
  )
  return times[0] === times[1]
}
