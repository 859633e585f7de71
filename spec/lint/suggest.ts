/** The next step of a message about a name that does not exist: `: did you mean name?`, or `instead`. */
export function didYouMean(name: string, names: Iterable<string>, instead = '.'): string {
  const nearest = findNearest(name, names)
  return nearest === undefined ? instead : `: did you mean ${nearest}?`
}

/**
 * The name that was probably meant: `amount` for `amuont`. It is the one that differs least, without
 * regard to case; undefined if each differs too much, that is in more than a third of the characters
 * of `name`. One character is never too much.
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
 * How many characters differ: added, lost, replaced, or exchanged with the next; 1 for `amuont` and
 * `amount`. This is the table of Damerau and Levenshtein: row 3, column 2 has the distance of the
 * first 3 characters of `from` to the first 2 of `to`. Only the last three rows are kept.
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
