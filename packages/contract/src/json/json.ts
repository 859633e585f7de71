import { parseTime } from '../time.ts'
import { pointerOf, stepsOf, valueAt } from './pointer.ts'

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

/** A value that has no other inside, with its pointer. */
type Leaf = [pointer: string, leaf: unknown]
/** Whether a leaf is wanted, by its value and the name of its field; an item has no name. */
type IsWanted = (leaf: unknown, name?: string) => boolean

/**
 * The leaves of a value with their pointers: the values that have no other inside. An array with
 * items has one more leaf, undefined, at the place after its last item.
 *
 * @param isWanted Which leaves to list. Default: all, whose pointers take most of the time.
 * @example
 * leavesOf({ a: 1, b: [2] }) // [['/a', 1], ['/b/1', undefined], ['/b/0', 2]]
 */
export function leavesOf(value: unknown, at = '', isWanted: IsWanted = () => true): Leaf[] {
  // One list: as arguments of a function, the leaves of a long array are too many.
  const leaves: Leaf[] = []
  // The names and indexes that lead to the container that is read, and the pointers of the first ones. A pointer is
  // written once, and only if there is a wanted leaf below it.
  const steps: (string | number)[] = []
  const pointers: string[] = []
  if (isContainer(value)) addLeaves(value)
  else if (isWanted(value)) leaves.push([at, value])
  return leaves

  /** Adds the leaves inside an object or an array. */
  function addLeaves(container: object): void {
    if (Array.isArray(container)) {
      addLeavesOfArray(container)
      return
    }
    for (const [name, field] of Object.entries(container)) addLeaf(name, field, name)
  }

  /** Adds the place after the last item, which a test may want to fill, then the leaves of the items. */
  function addLeavesOfArray(items: readonly unknown[]): void {
    if (isWanted(undefined)) leaves.push([pointerTo(items.length), undefined])
    // An iterator would create an array for each of hundreds of thousands of items.
    for (let index = 0; index < items.length; index++) addLeaf(index, items[index])
  }

  /** Adds a field or an item, or the leaves in it. An item has no name. */
  function addLeaf(step: string | number, value: unknown, name?: string): void {
    if (isContainer(value)) {
      steps.push(step)
      addLeaves(value)
      steps.pop()
      if (pointers.length > steps.length) pointers.pop()
    } else if (isWanted(value, name)) leaves.push([pointerTo(step), value])
  }

  function pointerTo(step: string | number): string {
    // Of the steps that have none yet.
    for (let level = pointers.length; level < steps.length; level++)
      pointers.push(pointerOf(pointers[level - 1] ?? at, String(steps[level])))
    return pointerOf(pointers.at(-1) ?? at, String(step))
  }
}

/** Whether a value is an object or an array, and not empty. */
function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) ? value.length > 0 : hasAnyField(value)
}

/** Whether an object has a field. A list of all its names would take long for a large one. */
function hasAnyField(object: object): boolean {
  for (const name in object) if (Object.hasOwn(object, name)) return true
  return false
}

const ALL_LEVELS = Number.POSITIVE_INFINITY
const isAnyName = () => true

/** Whether a text is valid JSON in which an object at any depth has any field twice. */
export function repeatsAnyField(text: string): boolean {
  return parsedJson(text) !== undefined && hasRepeatedName(text, ALL_LEVELS, isAnyName)
}

/**
 * Whether an object in a text of JSON has a field twice. Programs differ in which of the two they
 * read (RFC 8259, section 4). Looks at the outermost object, and deeper if `levels` is higher.
 *
 * @param names The fields that count. Default: any.
 */
export function repeatsField(text: string, names?: ReadonlySet<string>, levels = 1): boolean {
  if (!names) return hasRepeatedName(text, levels, isAnyName)
  return mayRepeat(text, names) && hasRepeatedName(text, levels, (name) => names.has(name))
}

/**
 * Whether an object has a wanted field twice, such as `a` in `{"a":1,"a":2}`. Looks at the outermost
 * `levels` of objects and arrays only, and reads each character once.
 */
function hasRepeatedName(
  text: string,
  levels: number,
  isWanted: (name: string) => boolean,
): boolean {
  // The names that were read in the open object of each level. One set for all objects of a level: a text
  // may have hundreds of thousands.
  const namesByLevel: Set<string>[] = []
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '[' || character === '{') {
      depth++
      const names = namesByLevel[depth]
      if (names && names.size > 0) names.clear()
    }
    if (character === ']' || character === '}') depth--
    if (character !== '"') continue

    // A string begins here. The loop goes on after it, so brackets inside of it are no levels.
    const start = i
    const end = endOfString(text, start)
    i = end - 1
    if (depth > levels) continue

    // A string before a colon is the name of a field.
    const isField = text[endOfSpace(text, end)] === ':'
    if (!isField) continue

    const name = parseName(text.slice(start, end))
    if (name === undefined || !isWanted(name)) continue

    const names = namesByLevel[depth] ?? new Set()
    namesByLevel[depth] = names
    if (names.has(name)) return true
    names.add(name)
  }
  return false
}

/** Parses the string of JSON that names a field; undefined if it is invalid. */
function parseName(quoted: string): string | undefined {
  // Only an escape takes a parser, which is slow.
  if (!quoted.includes('\\')) return quoted.slice(1, -1)

  const name = parsedJson(quoted)
  return typeof name === 'string' ? name : undefined
}

/**
 * Whether one of these names could be in a text twice. A quick test before the exact one, which most
 * texts then do not need: few have an escape, or the same name twice.
 */
function mayRepeat(text: string, names: ReadonlySet<string>): boolean {
  // An escape may spell any name.
  if (text.includes('\\')) return true

  for (const name of names) {
    const quoted = `"${name}"`
    const first = text.indexOf(quoted)
    if (first >= 0 && text.includes(quoted, first + 1)) return true
  }
  return false
}

/** The index after the white space that begins at `start`. */
function endOfSpace(text: string, start: number): number {
  let end = start
  while (SPACES.has(text[end] ?? '')) end++
  return end
}

/** RFC 8259, section 2. */
const SPACES = new Set([' ', '\t', '\n', '\r'])
