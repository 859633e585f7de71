import { isDeepStrictEqual } from 'node:util'
import { applyEdits, type Edit } from '../generate.ts'
import { type AcceptedRequest, forEachAccepted, sendEdited } from './accepted-requests.ts'
import type { Plan, PlanContext } from './plan.ts'

/** Sends requests with several random values, valid and invalid ones, for `context.timeMs`. */
export const random: Plan = {
  id: 'random',
  beside: 'edits',
  wants: [],
  /**
   * Sends random variants of accepted requests until the time for random cases is over. Each is a valid
   * request with a few random edits of its body.
   */
  async run(context) {
    const requests = await forEachAccepted(context, async (accepted) => accepted)
    const withBody = requests.filter(({ input }) => input.body !== undefined)
    if (withBody.length === 0) return

    const until = performance.now() + context.timeMs
    const numbers = Array.from({ length: MAX_REQUESTS }, (_, i) => i)
    await context.sideBySide(numbers, async (i) => {
      if (performance.now() >= until || context.signal.aborted) return
      // Each operation in turn.
      const accepted = withBody[i % withBody.length]
      if (accepted) await sendWithRandomEdits(context, accepted)
    })
  },
}

/** Sends an accepted request with random edits of its fields. Sends nothing if they leave it as it is. */
async function sendWithRandomEdits(context: PlanContext, accepted: AcceptedRequest): Promise<void> {
  const input = applyEdits(accepted.input, chooseEdits(context, accepted.edits))
  const isChanged = !isDeepStrictEqual(input.body, accepted.input.body)
  if (isChanged) await sendEdited(context, accepted, input, { edit: '' })
}

const MAX_REQUESTS = 30
/** Valid edits of one request. */
const VALID_EDITS = 3

/**
 * Chooses three valid edits by chance and, in half of the cases, an invalid one. An edit is a change of one
 * field: `{ pointer: '/amount', value: '0.01', isValid: true }`.
 */
function chooseEdits({ random }: PlanContext, edits: readonly Edit[]): Edit[] {
  const hasInvalid = random() < 1 / 2
  // The pointer '' is the whole body: another edit beside it would have no effect.
  const ofFields = edits.filter(({ pointer }) => pointer !== '')
  const valid = ofFields.filter(({ isValid }) => isValid)
  const invalid = ofFields.filter(({ isValid }) => !isValid)

  const chosen: (Edit | undefined)[] = []
  for (let i = 0; i < VALID_EDITS; i++) chosen.push(chooseOne(valid, random))
  if (hasInvalid) chosen.push(chooseOne(invalid, random))
  return chosen.filter((edit) => edit !== undefined)
}

/** An item by chance. Undefined if there is none. */
function chooseOne<Item>(items: readonly Item[], random: () => number): Item | undefined {
  return items[Math.floor(random() * items.length)]
}
