import { Refusal } from '../problems.ts'

/** Those that may wait. */
const WAITING = 100

/** Does one thing after another. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Turns for what gets into its own way: two advances of the clock are one after the other.
 *
 * @throws {Refusal} from the turns: `unavailable` when too many wait.
 */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return (work) => {
    if (waiting >= WAITING) throw new Refusal('unavailable', { detail: 'Too much is being done already.' })
    waiting++
    const turn = last.then(work).finally(() => {
      waiting--
    })
    last = turn.catch(() => {})
    return turn
  }
}
