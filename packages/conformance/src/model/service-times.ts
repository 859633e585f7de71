/** The clock of the service, as its moves have shown it. */
export interface ServiceTimes {
  /** Whether the service has shown its clock. */
  readonly isShown: boolean
  move(at: number, now: number): void
  /** What the service showed at a time of this machine. */
  at(at: number): number
  /** The earliest and the latest time that it may have shown when it sent what arrived at a time. */
  near(at: number): readonly [earliest: number, latest: number]
  /** The time of this machine from which the service shows a time, as far as its moves are known. */
  since(time: number): number
}

/** Milliseconds that a delivery may be on its way, and that a move may take. What is due on the way is sent then. */
const UNSURE = 15_000
/** Moves that are remembered. */
const MOST = 1_000

export function createServiceTimes(): ServiceTimes {
  const moves: { readonly at: number; readonly ahead: number }[] = [
    { at: Number.NEGATIVE_INFINITY, ahead: 0 },
  ]
  const endOf = (index: number) => moves[index + 1]?.at ?? Number.POSITIVE_INFINITY
  return {
    get isShown() {
      return moves.length > 1
    },
    move(at, now) {
      moves.push({ at, ahead: now - at })
      if (moves.length > MOST) moves.shift()
    },
    at: (at) => at + (moves.findLast((it) => it.at <= at)?.ahead ?? 0),
    near(at) {
      const all = moves.filter((it, i) => it.at <= at + UNSURE && endOf(i) > at - UNSURE)
      const times = all.map(({ ahead }) => at + ahead)
      return [Math.min(...times), Math.max(...times)]
    },
    since(time) {
      const starts = moves.map(({ at, ahead }, i) => {
        const start = Math.max(at, time - ahead)
        return start < endOf(i) ? start : Number.POSITIVE_INFINITY
      })
      return Math.min(...starts)
    },
  }
}
