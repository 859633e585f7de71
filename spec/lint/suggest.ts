/** The next step of a message about a name that does not exist: `: did you mean name?`, or `instead`. */
export function didYouMean(name: string, names: Iterable<string>, instead = '.'): string {
  const nearest = findNearest(name, names)
  return nearest === undefined ? instead : `: did you mean ${nearest}?`
}

/**
 * The name that differs least from `name`, without regard to case; undefined if each differs in
 * more than a third of the characters of `name` (but in more than one).
 */
export function findNearest(name: string, names: Iterable<string>): string | undefined {
  const maxDistance = Math.max(1, Math.floor(name.length / 3))
  let nearest: string | undefined
  let leastDistance = maxDistance + 1
  for (const candidate of names) {
    const distance = countDifferences(name.toLowerCase(), candidate.toLowerCase())
    // An empty name is no word to suggest.
    if (candidate === '' || distance >= leastDistance) continue
    nearest = candidate
    leastDistance = distance
  }
  return nearest
}

/**
 * How many characters differ: added, lost, replaced, or exchanged with the next. Each row of the
 * table has the distances of a beginning of `from` to all beginnings of `to` (Damerau and
 * Levenshtein); the last three rows are kept.
 */
export function countDifferences(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const next = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const lost = (last[column] ?? 0) + 1
      const added = (next[column - 1] ?? 0) + 1
      const replaced = (last[column - 1] ?? 0) + (isSame ? 0 : 1)
      let best = Math.min(lost, added, replaced)

      const isExchanged =
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1]
      if (isExchanged) best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1)
      next.push(best)
    }
    beforeLast = last
    last = next
  }
  return last[to.length] ?? 0
}
