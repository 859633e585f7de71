/**
 * Milliseconds that a delivery may be on its way, and that a move may take. What is due on the way
 * is sent then.
 */
const UNSURE_MS = 15_000
/** Moves that are remembered. */
const MOST_MOVES = 1_000

/** The clock of the service, as its moves have shown it. */
export class ServiceTimes {
  /** When each move was, by this machine, and how far the service was ahead since then. */
  readonly #moves = [{ at: Number.NEGATIVE_INFINITY, ahead: 0 }]

  /** Whether the service has shown its clock. */
  get isShown(): boolean {
    return this.#moves.length > 1
  }

  move(at: number, now: number): void {
    this.#moves.push({ at, ahead: now - at })
    if (this.#moves.length > MOST_MOVES) this.#moves.shift()
  }

  /** What the service showed at a time of this machine. */
  at(at: number): number {
    const last = this.#moves.findLast((move) => move.at <= at)
    return at + (last?.ahead ?? 0)
  }

  /**
   * The earliest and the latest time that it may have shown when it sent what arrived at a time.
   */
  near(at: number): readonly [earliest: number, latest: number] {
    const moves = this.#moves.filter((move, index) => {
      const hasBegun = move.at <= at + UNSURE_MS
      const isOver = this.#endOf(index) <= at - UNSURE_MS
      return hasBegun && !isOver
    })
    const times = moves.map(({ ahead }) => at + ahead)
    return [Math.min(...times), Math.max(...times)]
  }

  /**
   * The time of this machine from which the service shows a time, as far as its moves are known.
   */
  since(time: number): number {
    let earliest = Number.POSITIVE_INFINITY
    for (const [index, { at, ahead }] of this.#moves.entries()) {
      const start = Math.max(at, time - ahead)
      if (start < this.#endOf(index)) earliest = Math.min(earliest, start)
    }
    return earliest
  }

  #endOf(index: number): number {
    return this.#moves[index + 1]?.at ?? Number.POSITIVE_INFINITY
  }
}
