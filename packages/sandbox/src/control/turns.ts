import { Refusal } from '../problems.ts'

/** Maximum number of waiting jobs. */
const WAITING = 100

/** Runs one job after another. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Creates a queue for jobs that must not overlap, such as two advances of the clock.
 *
 * @throws {Refusal} from the queue: `unavailable` if too many wait.
 */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return (work) => {
    if (waiting >= WAITING)
      throw new Refusal('unavailable', { detail: 'Too many requests are already waiting.' })
    waiting++
    const turn = last.then(work).finally(() => {
      waiting--
    })
    last = turn.catch(() => {})
    return turn
  }
}
