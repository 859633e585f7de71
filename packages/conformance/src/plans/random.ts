import { isDeepStrictEqual } from 'node:util'
import { type Edit, isValidInput } from '../generate/edits.ts'
import { type Accepted, eachAccepted, joined, sendEdited } from './edited.ts'
import type { Plan, PlanContext } from './plan.ts'

/** Requests with several unusual values at once. */
export const random: Plan = {
  id: 'random',
  says: 'Sends requests with several random values, valid and invalid ones, for the time that is given.',
  wants: [],
  async run(context) {
    const accepted: Accepted[] = []
    await eachAccepted(context, async (it) => {
      if (it.input.body !== undefined) accepted.push(it)
    })
    const until = performance.now() + context.timeMs
    for (let sent = 0; sent < MOST && accepted.length > 0 && performance.now() < until; sent++) {
      const of = accepted[sent % accepted.length]
      const edit = of && combined(context, of, of.edits)
      if (edit) await sendEdited(context, of, edit)
      if (context.signal.aborted) return
    }
  },
}

/** Requests of a run. */
const MOST = 30
/** Edits of one request. */
const COMBINED = 3

/** A request with several edits, of which one at most is invalid. */
function combined({ random }: PlanContext, of: Accepted, edits: readonly Edit[]): Edit | undefined {
  const isInvalid = random() < 1 / 2
  const [valid, invalid] = [true, false].map((is) =>
    edits.filter((it) => it.isValid === is && it.pointer !== ''),
  )
  const pick = (all: readonly Edit[] = []) => all[Math.floor(random() * all.length)]
  const chosen = [
    ...Array.from({ length: COMBINED }, () => pick(valid)),
    isInvalid ? pick(invalid) : undefined,
  ]
  const input = joined(
    of,
    chosen.filter((it) => it !== undefined),
  )
  return isDeepStrictEqual(input.body, of.input.body)
    ? undefined
    : { input, pointer: '', isValid: isValidInput(of.operation, input) }
}
