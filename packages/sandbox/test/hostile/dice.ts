/** Throws that are the same in every run. */
export interface Dice {
  /** A whole number from 0 to below `sides`. */
  roll(sides: number): number
  /** One of them. */
  pick<T>(of: readonly T[]): T
}

/** Mulberry32: a small generator, good enough to vary tests. */
export function diceOf(seed: number): Dice {
  let state = seed
  const roll = (sides: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides)
  }
  return { roll, pick: (of) => of[roll(of.length)] as (typeof of)[number] }
}
