/**
 * Milliseconds that a delivery may be on its way, and that a move may take. What is due on the way
 * is sent then.
 */
const UNSURE = 15_000
/** Moves that are remembered. */
const MOST = 1_000

/** The clock of the service, as its moves have shown it. */
export class ServiceTimes {
  readonly #moves = [{ at: Number.NEGATIVE_INFINITY, ahead: 0 }]

  /** Whether the service has shown its clock. */
  get isShown(): boolean {
    return this.#moves.length > 1
  }

  move(at: number, now: number): void {
    this.#moves.push({ at, ahead: now - at })
    if (this.#moves.length > MOST) this.#moves.shift()
  }

  /** What the service showed at a time of this machine. */
  at(at: number): number {
    return at + (this.#moves.findLast((it) => it.at <= at)?.ahead ?? 0)
  }

  /**
   * The earliest and the latest time that it may have shown when it sent what arrived at a time.
   */
  near(at: number): readonly [earliest: number, latest: number] {
    const all = this.#moves.filter((it, i) => it.at <= at + UNSURE && this.#endOf(i) > at - UNSURE)
    const times = all.map(({ ahead }) => at + ahead)
    return [Math.min(...times), Math.max(...times)]
  }

  /**
   * The time of this machine from which the service shows a time, as far as its moves are known.
   */
  since(time: number): number {
    const starts = this.#moves.map(({ at, ahead }, i) => {
      const start = Math.max(at, time - ahead)
      return start < this.#endOf(i) ? start : Number.POSITIVE_INFINITY
    })
    return Math.min(...starts)
  }

  #endOf(index: number): number {
    return this.#moves[index + 1]?.at ?? Number.POSITIVE_INFINITY
  }
}
