/**
 * Another value of the same form: each letter and digit of its end replaced by one of its kind. For what has to be new
 * with every request, and keeps its pattern.
 */
export function renewed(value: string, random: () => number, changed = 16): string {
  const start = Math.max(0, value.length - changed)
  const end = [...value.slice(start)].map((it) => another(it, random)).join('')
  return value.slice(0, start) + end
}

function another(character: string, random: () => number): string {
  const kind = ['0123456789', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'].find((it) =>
    it.includes(character),
  )
  return kind ? (kind[Math.floor(random() * kind.length)] ?? character) : character
}

/** Random numbers from 0 to 1 by a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
