import { computeAheadRange } from './date.ts'

/** Milliseconds that a delivery may be on its way, or a move may take. Within them, it may be from before a move. */
const UNSURE_MS = 15_000
/** So many moves are remembered. */
const MAX_MOVES = 1_000

/**
 * Milliseconds by which the header Date may differ from the known clock. It has no fractions of a second, and
 * the clocks of two machines are never quite the same.
 */
const DATE_MARGIN_MS = 2_000

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

  #isShown = false

  /** Whether the service has shown its clock, as a sandbox does. */
  get isShown(): boolean {
    return this.#isShown
  }

  /** Adds a move: at this machine time, the service showed that service time. */
  move(machineTime: number, serviceTime: number): void {
    this.#isShown = true
    this.#add(machineTime, serviceTime)
  }

  /**
   * Adds a move if the header Date of a response shows that one of the two clocks was set, as after a
   * suspension, or that they never agreed. Does nothing if the Date fits the clock as it is known, within two seconds,
   * or if a sandbox has shown its clock: it sends the Date of its machine.
   *
   * @param date The Date, in milliseconds since 1970.
   */
  noteDate(date: number, exchange: { readonly sentAt: number; readonly completeAt: number }): void {
    if (this.#isShown) return

    const { sentAt, completeAt } = exchange
    // By how much the service is ahead of this machine: the range by the Date, and what was known until now.
    const { leastMs, mostMs } = computeAheadRange(date, exchange)
    const aheadMs = this.toServiceTime(completeAt) - completeAt
    const isPossible = aheadMs > leastMs - DATE_MARGIN_MS && aheadMs < mostMs + DATE_MARGIN_MS
    if (isPossible) return

    // Corrects it by as little as possible.
    const nearestMs = aheadMs < leastMs ? leastMs : mostMs
    this.#add(sentAt, sentAt + nearestMs)
  }

  #add(machineTime: number, serviceTime: number): void {
    this.#moves.push({ machineTime, aheadMs: serviceTime - machineTime })
    if (this.#moves.length > MAX_MOVES) this.#moves.shift()
  }

  /** The service time at a machine time. */
  toServiceTime(machineTime: number): number {
    const last = this.#moves.findLast((move) => move.machineTime <= machineTime)
    return machineTime + (last?.aheadMs ?? 0)
  }

  /**
   * The earliest time that it may be for the service. Until a sandbox has shown its clock, nobody knows
   * whether this machine or the service had the wrong time.
   */
  toEarliestServiceTime(machineTime: number): number {
    const serviceTime = this.toServiceTime(machineTime)
    return this.#isShown ? serviceTime : Math.min(serviceTime, machineTime)
  }

  /**
   * When the service may have sent what arrived at a time of this machine: the earliest and the latest
   * time by its own clock. They are mostly the same. Just after the clock was set ahead by a day, they differ by that
   * day, since what arrives then may be from before the move or after it.
   */
  readPossibleTimes(machineTime: number): readonly [earliest: number, latest: number] {
    const serviceTimes: number[] = []
    for (const { from, to, aheadMs } of this.#listSpans()) {
      // Near a move, both are true of the span before it and of the span after it.
      const mayHaveBegun = from <= machineTime + UNSURE_MS
      const mayLast = to > machineTime - UNSURE_MS
      if (mayHaveBegun && mayLast) serviceTimes.push(machineTime + aheadMs)
    }
    return [Math.min(...serviceTimes), Math.max(...serviceTimes)]
  }

  /**
   * The first machine time at which the clock of the service shows a time, or a later one. If the clock jumped over
   * it, that is when it jumped.
   */
  toMachineTime(serviceTime: number): number {
    const machineTimes: number[] = []
    for (const { from, to, aheadMs } of this.#listSpans()) {
      const machineTime = serviceTime - aheadMs
      // The move at the start of the span may jump over the time.
      const reachedAt = Math.max(machineTime, from)
      if (reachedAt < to) machineTimes.push(reachedAt)
    }
    // Never empty: the last span has no end.
    return Math.min(...machineTimes)
  }

  /** The spans of machine time from each move to the next one; the last one has no end (infinity). */
  #listSpans(): readonly Span[] {
    return this.#moves.map(({ machineTime, aheadMs }, index) => {
      const nextMove = this.#moves[index + 1]
      return { from: machineTime, to: nextMove?.machineTime ?? Number.POSITIVE_INFINITY, aheadMs }
    })
  }
}

/** A span of machine time, in which the service is ahead by the same number of milliseconds. */
interface Span {
  readonly from: number
  readonly to: number
  readonly aheadMs: number
}
