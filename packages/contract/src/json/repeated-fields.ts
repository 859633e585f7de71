import { endOfString, parsedJson } from './json.ts'

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
      namesByLevel[depth]?.clear()
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
