/** An object that has fewer characters than its length says, and single spaces. */
interface Gap {
  /** Indexes of its spaces. */
  readonly spaces: readonly number[]
  /** The number of characters that it lacks. */
  readonly lost: number
}

/** Limits of the search, which a hostile text could make endless. */
const MAX_STEPS = 2000
const MAX_TRIES = 500

/**
 * Finds the code from which runs of spaces were collapsed into single ones: its objects have the
 * lengths that they declare, and it fits. `undefined` if there is none.
 */
export function restoreSpaces(
  text: string,
  isFitting: (restored: string) => boolean,
): string | undefined {
  const wasCollapsed = text.includes(' ') && !text.includes('  ')
  if (!wasCollapsed) return undefined

  const characters = [...text]
  let tries = 0
  for (const gaps of findGaps(characters)) {
    for (const inserted of insertions(gaps)) {
      tries += 1
      if (tries > MAX_TRIES) return undefined

      const restored = insertSpaces(characters, inserted)
      if (isFitting(restored)) return restored
    }
  }
  return undefined
}

/** Each way to read the text as objects of which some lack spaces. */
function* findGaps(characters: readonly string[]): Generator<readonly Gap[]> {
  let steps = 0

  function* from(start: number, gaps: readonly Gap[]): Generator<readonly Gap[]> {
    steps += 1
    if (start === characters.length && gaps.length > 0) yield gaps
    const length = declaredLength(characters, start)
    if (length === undefined || steps > MAX_STEPS) return

    const value = start + HEAD_LENGTH
    yield* from(value + length, gaps)

    for (let lost = 1; lost < length; lost++) {
      const end = value + length - lost
      const spaces = spacesBetween(characters, value, end)
      if (spaces.length > 0) yield* from(end, [...gaps, { spaces, lost }])
    }
  }

  yield* from(0, [])
}

/** The characters of an id and a length. */
const HEAD_LENGTH = 4

/** The length of the object at an index; `undefined` if there is none. */
function declaredLength(characters: readonly string[], start: number): number | undefined {
  const head = characters.slice(start, start + HEAD_LENGTH).join('')
  return /^\d{4}$/.test(head) ? Number(head.slice(2)) : undefined
}

function spacesBetween(characters: readonly string[], start: number, end: number): number[] {
  const spaces: number[] = []
  for (let index = start; index < end; index++) {
    if (characters[index] === ' ') spaces.push(index)
  }
  return spaces
}

/** By the index of a space, how many are inserted there. */
type Inserted = ReadonlyMap<number, number>

/** Each way to distribute the lost spaces of all gaps. */
function* insertions([gap, ...others]: readonly Gap[]): Generator<Inserted> {
  if (!gap) {
    yield new Map()
    return
  }
  for (const inserted of insertions(others)) {
    for (const own of distributions(gap.lost, gap.spaces)) yield new Map([...inserted, ...own])
  }
}

/** Each way to distribute spaces; the last run gets all of them first, as of a padded name. */
function* distributions(
  lost: number,
  [space, ...others]: readonly number[],
): Generator<readonly [number, number][]> {
  if (space === undefined) return
  if (others.length === 0) {
    yield [[space, lost]]
    return
  }
  for (let count = 0; count <= lost; count++) {
    for (const rest of distributions(lost - count, others)) yield [[space, count], ...rest]
  }
}

function insertSpaces(characters: readonly string[], inserted: Inserted): string {
  const restored = characters.map((character, index) => {
    return character + ' '.repeat(inserted.get(index) ?? 0)
  })
  return restored.join('')
}
