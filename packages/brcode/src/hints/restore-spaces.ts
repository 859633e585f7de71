import { HEAD_LENGTH } from '../tlv.ts'

/** An object that has fewer characters than its length says, since it has lost some of its spaces. */
interface ShortObject {
  /** The indexes of the single spaces that are left. */
  readonly spaces: readonly number[]
  /** How many characters it lacks. */
  readonly lacking: number
}

/** Limits of the search, which a hostile text could make endless. */
const MAX_STEPS = 2000
const MAX_TRIES = 500

/**
 * Finds the code from which runs of spaces were collapsed into single ones, as HTML does; undefined
 * if there is none. Tries each way to read the text as objects, some of them too short, and each way
 * to fill these up with spaces, until `isFitting` accepts one.
 *
 * @example
 * restoreSpaces('5906A B6304…', isFitting) // '5906A    B6304…'
 */
export function restoreSpaces(
  text: string,
  isFitting: (restored: string) => boolean,
): string | undefined {
  const wasCollapsed = text.includes(' ') && !text.includes('  ')
  if (!wasCollapsed) return undefined

  const characters = [...text]
  let tries = 0
  for (const shortObjects of findReadings(characters)) {
    for (const spacesByIndex of listWaysToFill(shortObjects)) {
      tries += 1
      if (tries > MAX_TRIES) return undefined

      const restored = insertSpaces(characters, spacesByIndex)
      if (isFitting(restored)) return restored
    }
  }
  return undefined
}

/**
 * Each way to read the text as objects to its end. Yields the objects that are too short in it:
 * those whose value has fewer characters than their length says. In `5906A B6304…`, object 59 says
 * 6 and has 3: `{ spaces: [5], lacking: 3 }`.
 */
function* findReadings(characters: readonly string[]): Generator<readonly ShortObject[]> {
  let steps = 0

  /**
   * Yields all objects that are too short, once for each way to read the rest to its end.
   *
   * @param start Where the rest begins.
   * @param shortObjects The objects before it that are too short.
   */
  function* findReadingsFrom(
    start: number,
    shortObjects: readonly ShortObject[],
  ): Generator<readonly ShortObject[]> {
    steps += 1
    const isAtEnd = start === characters.length
    if (isAtEnd && shortObjects.length > 0) yield shortObjects

    const length = declaredLength(characters, start)
    if (length === undefined || steps > MAX_STEPS) return

    // The object has its whole length.
    const valueStart = start + HEAD_LENGTH
    yield* findReadingsFrom(valueStart + length, shortObjects)

    // It lacks one character, or two, and so on. At least a space is left.
    for (let lacking = 1; lacking < length; lacking++) {
      const end = valueStart + length - lacking
      const spaces = findSpaces(characters, valueStart, end)
      if (spaces.length > 0) yield* findReadingsFrom(end, [...shortObjects, { spaces, lacking }])
    }
  }

  yield* findReadingsFrom(0, [])
}

/** The length of the object at an index; `undefined` if there is none. */
function declaredLength(characters: readonly string[], start: number): number | undefined {
  const head = characters.slice(start, start + HEAD_LENGTH).join('')
  return /^\d{4}$/.test(head) ? Number(head.slice(2)) : undefined
}

/** The indexes of the spaces from `start` to before `end`. */
function findSpaces(characters: readonly string[], start: number, end: number): number[] {
  const spaces: number[] = []
  for (let index = start; index < end; index++) {
    if (characters[index] === ' ') spaces.push(index)
  }
  return spaces
}

/** How many spaces to insert after a space, by its index. */
type SpacesByIndex = ReadonlyMap<number, number>

/**
 * Each way to fill objects up to their lengths: how many spaces to insert, by the index of the
 * space after which they go. For one object, `{ spaces: [5], lacking: 3 }`, it is `5 => 3` alone.
 */
function* listWaysToFill([object, ...others]: readonly ShortObject[]): Generator<SpacesByIndex> {
  if (!object) {
    yield new Map()
    return
  }
  for (const spacesOfOthers of listWaysToFill(others)) {
    for (const spacesOfObject of listWaysToDistribute(object.lacking, object.spaces))
      yield new Map([...spacesOfOthers, ...spacesOfObject])
  }
}

/**
 * Each way to distribute a number of spaces over the places of one object: 2 over the places 5 and
 * 9 are `[[5, 0], [9, 2]]`, `[[5, 1], [9, 1]]` and `[[5, 2], [9, 0]]`. The first way gives all of
 * them to the last place, as in a padded name.
 */
function* listWaysToDistribute(
  count: number,
  [place, ...otherPlaces]: readonly number[],
): Generator<readonly [place: number, count: number][]> {
  if (place === undefined) return
  if (otherPlaces.length === 0) {
    yield [[place, count]]
    return
  }
  for (let here = 0; here <= count; here++) {
    for (const rest of listWaysToDistribute(count - here, otherPlaces))
      yield [[place, here], ...rest]
  }
}

/** The text with more spaces: `A B` with 3 after the index 1 is `A    B`. */
function insertSpaces(characters: readonly string[], spacesByIndex: SpacesByIndex): string {
  const restored = characters.map((character, index) => {
    return character + ' '.repeat(spacesByIndex.get(index) ?? 0)
  })
  return restored.join('')
}
