import { fieldName } from '../contract/kinds.ts'
import { applyEdits, type Edit, isValidInput } from '../generate.ts'
import {
  type AcceptedRequest,
  divideEditsIntoLanes,
  forEachAccepted,
  sendEdited,
} from './accepted-requests.ts'
import type { Plan, PlanContext } from './plan.ts'

/** Sends requests with values at the limits of their schemas, and without optional fields. */
export const boundaries: Plan = {
  id: 'boundaries',
  beside: 'edits',
  wants: ['requests-accepted'],
  async run(context) {
    await forEachAccepted(context, (accepted) => tryBoundaries(context, accepted))
  },
}

/**
 * Sends variants of an accepted request that are valid too, such as the longest description. An edit is a
 * change of one field. Edits of fields that no rule reads together go into one request, a round; all
 * others are sent alone, and so is each edit of a round that was refused.
 */
async function tryBoundaries(context: PlanContext, accepted: AcceptedRequest): Promise<void> {
  const edits = accepted.edits.filter(({ isValid }) => isValid)
  const alone = edits.filter((edit) => !canBeCombined(edit))
  const rounds = divideIntoRounds(edits.filter(canBeCombined))
  const wereAccepted = await context.sideBySide(rounds, (round) =>
    sendTogether(context, accepted, round),
  )
  for (const [i, round] of rounds.entries()) if (!wereAccepted[i]) alone.push(...round)

  // Each lane is a list of edits that go out one after the other; lanes may go out side by side.
  await context.sideBySide(divideEditsIntoLanes(alone), async (lane) => {
    for (const edit of lane) {
      if (context.signal.aborted) return
      const input = applyEdits(accepted.input, [edit])
      await sendEdited(context, accepted, input, { edit: edit.pointer })
    }
  })
}

/** Fields that no rule of the business reads, so that they can be edited at once. */
const UNREAD_FIELDS: ReadonlySet<string> = new Set([
  'message', // text for the payer
  'description', // text for the payer
  'additional_infos', // text for the payer
  'payer', // whoever has the code may pay it
])

function canBeCombined({ pointer, value }: Edit): boolean {
  // A payer has a name and a tax ID.
  const isOfPayer = ['/payer', '/payer/name', '/payer/tax_id'].includes(pointer)
  if (isOfPayer) return typeof value === 'string' && value !== ''

  return UNREAD_FIELDS.has(fieldName(pointer))
}

/**
 * Divides edits into rounds: lists of edits that can be made in one request. No round edits a place
 * twice, or both a place and one inside it, such as `/payer` and `/payer/name`.
 */
function divideIntoRounds(edits: readonly Edit[]): Edit[][] {
  const contains = (outer: Edit, inner: Edit) => `${inner.pointer}/`.startsWith(`${outer.pointer}/`)
  const isApart = (one: Edit, other: Edit) => !contains(one, other) && !contains(other, one)
  const rounds: Edit[][] = []
  for (const edit of edits) {
    const roundWithPlace = rounds.find((round) => round.every((other) => isApart(edit, other)))
    if (roundWithPlace) roundWithPlace.push(edit)
    else rounds.push([edit])
  }
  return rounds
}

/**
 * Sends a request with several edits, if it is valid with all of them. Returns whether the service
 * accepted it. A single edit is not sent: `tryBoundaries` sends it alone.
 */
async function sendTogether(
  context: PlanContext,
  accepted: AcceptedRequest,
  edits: readonly Edit[],
): Promise<boolean> {
  if (edits.length === 1 || context.signal.aborted) return false

  const input = applyEdits(accepted.input, edits)
  if (!isValidInput(accepted.operation, input)) return false

  const pointers = edits.map(({ pointer }) => pointer)
  const outcome = await sendEdited(context, accepted, input, { edits: pointers })
  return outcome?.isAccepted ?? false
}
