/** A seeded random generator: each run gives the same values. */
export interface SeededRandom {
  /** An integer from 0 to below `sides`. */
  integer(sides: number): number
  /** One of the items. */
  pick<T>(of: readonly T[]): T
}

/** Mulberry32: a small generator that is good enough for tests. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed
  const integer = (sides: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides)
  }
  return { integer, pick: (of) => of[integer(of.length)] as (typeof of)[number] }
}

/** The words of a text. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** The items of a text that are separated by bars, without the spaces around them. */
export function items(text: string): string[] {
  return text.trim().split(/\s*\|\s*/)
}
