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
  wants: ['requests-accepted', 'records-shown'],
  async run(context) {
    await forEachAccepted(context, (accepted) => tryBoundaries(context, accepted))
  },
}

/**
 * Sends variants of an accepted request that are valid too, such as with the longest description. An edit is a
 * change of one field. To save requests, edits of free texts go into one request, a round; all others are sent alone,
 * and so is each edit of a round that was refused, so that the refusal names one edit.
 */
async function tryBoundaries(context: PlanContext, accepted: AcceptedRequest): Promise<void> {
  const edits = accepted.edits.filter(({ isValid }) => isValid)
  const rounds = divideIntoRounds(edits.filter(canBeCombined))
  // For each round its edits if it was refused, else an empty list.
  const refusedRounds = await context.sideBySide(rounds, async (round) => {
    const areAccepted = await sendTogether(context, accepted, round)
    return areAccepted ? [] : round
  })

  const otherEdits = edits.filter((edit) => !canBeCombined(edit))
  // Lanes are sent side by side, and the edits of a lane one after the other.
  const lanes = divideEditsIntoLanes([...otherEdits, ...refusedRounds.flat()])
  await context.sideBySide(lanes, (lane) => sendEachAlone(context, accepted, lane))
}

/** Sends a variant of an accepted request for each edit, one after the other. */
async function sendEachAlone(
  context: PlanContext,
  accepted: AcceptedRequest,
  edits: readonly Edit[],
): Promise<void> {
  for (const edit of edits) {
    if (context.signal.aborted) return
    const input = applyEdits(accepted.input, [edit])
    await sendEdited(context, accepted, input, { edit: edit.pointer })
  }
}

/** Fields that no rule of the business reads, so that they can be edited at once. */
const UNREAD_FIELDS: ReadonlySet<string> = new Set([
  'message', // text for the payer
  'description', // text for the payer
  'additional_infos', // text for the payer
  'payer', // whoever has the code may pay it
])

/**
 * Whether an edit can go into one request with others: it is of a free text, or gives a payer another name or tax ID.
 * An edit that leaves out a part of the payer is sent alone.
 */
function canBeCombined({ pointer, value }: Edit): boolean {
  const isOfPayer = ['/payer', '/payer/name', '/payer/tax_id'].includes(pointer)
  if (isOfPayer) return typeof value === 'string' && value !== ''

  return UNREAD_FIELDS.has(fieldName(pointer))
}

/**
 * Divides edits into rounds: lists of edits that can be made in one request. No round edits a place
 * twice, or both a place and one inside it, such as `/payer` and `/payer/name`.
 */
function divideIntoRounds(edits: readonly Edit[]): Edit[][] {
  const rounds: Edit[][] = []
  for (const edit of edits) {
    const roundWithPlace = rounds.find((round) => hasPlaceFor(edit, round))
    if (roundWithPlace) roundWithPlace.push(edit)
    else rounds.push([edit])
  }
  return rounds
}

/** Whether no edit of a round changes what an edit changes. */
function hasPlaceFor(edit: Edit, round: readonly Edit[]): boolean {
  return round.every((other) => !overlaps(edit, other))
}

/** Whether two edits are of one place, or one of a place inside that of the other. */
function overlaps(edit: Edit, other: Edit): boolean {
  const path = `${edit.pointer}/`
  const otherPath = `${other.pointer}/`
  return path.startsWith(otherPath) || otherPath.startsWith(path)
}

/**
 * Sends a request with several edits, if it is valid with all of them. Returns whether the service accepted it; false
 * also if nothing was sent. A single edit is not sent: `tryBoundaries` sends it alone.
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
