/**
 * Milliseconds that a delivery may be on its way, and that a move may take. What is due on the way
 * is sent then.
 */
const UNSURE_MS = 15_000
/** So many moves are remembered. */
const MAX_MOVES = 1_000

/** A move of the clock of the service, which a sandbox can set ahead. */
interface Move {
  /** When the service showed its clock. */
  readonly machineTime: number
  /** Milliseconds by which the service is ahead of this machine, from then until the next move. */
  readonly aheadMs: number
}

/**
 * The clock of the service, as its moves have shown it.
 *
 * There are two times, both in milliseconds since 1970: **machine time** is what this machine shows,
 * and **service time** is what the service shows at that moment. Their difference changes with each
 * move alone.
 */
export class ServiceTimes {
  /** In their order. Before the first one is known, both times are taken to be the same. */
  readonly #moves: Move[] = [{ machineTime: Number.NEGATIVE_INFINITY, aheadMs: 0 }]

  /** Whether the service has shown its clock. */
  get isShown(): boolean {
    return this.#moves.length > 1
  }

  /** Adds a move: at this machine time, the service showed that service time. */
  move(machineTime: number, serviceTime: number): void {
    this.#moves.push({ machineTime, aheadMs: serviceTime - machineTime })
    if (this.#moves.length > MAX_MOVES) this.#moves.shift()
  }

  /** The service time at a machine time. */
  toServiceTime(machineTime: number): number {
    const last = this.#moves.findLast((move) => move.machineTime <= machineTime)
    return machineTime + (last?.aheadMs ?? 0)
  }

  /**
   * When the service may have sent what arrived at a time of this machine: the earliest and the latest
   * time by its own clock. They differ around a move of that clock, since what was on its way then may be
   * from before the move or after it.
   */
  readPossibleTimes(machineTime: number): readonly [earliest: number, latest: number] {
    const possibleMoves = this.#moves.filter((move, index) => {
      const hasBegun = move.machineTime <= machineTime + UNSURE_MS
      const isOver = this.#endOf(index) <= machineTime - UNSURE_MS
      return hasBegun && !isOver
    })
    const times = possibleMoves.map(({ aheadMs }) => machineTime + aheadMs)
    return [Math.min(...times), Math.max(...times)]
  }

  /**
   * The first time of this machine at which the clock of the service shows `serviceTime` or a later
   * time. A sandbox can move its clock ahead; the known moves are followed.
   */
  toMachineTime(serviceTime: number): number {
    const machineTimes: number[] = []
    for (const [index, move] of this.#moves.entries()) {
      // The clock reaches it between two moves, or the move itself jumps over it.
      const machineTime = Math.max(serviceTime - move.aheadMs, move.machineTime)
      if (machineTime < this.#endOf(index)) machineTimes.push(machineTime)
    }
    // Never empty: after the last move, the clock reaches every time.
    return Math.min(...machineTimes)
  }

  /** The machine time at which the next move ends this one. */
  #endOf(index: number): number {
    return this.#moves[index + 1]?.machineTime ?? Number.POSITIVE_INFINITY
  }
}
