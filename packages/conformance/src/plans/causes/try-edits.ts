import { fieldsOf, withValue } from '../../contract/json.ts'
import type { Input, Outcome, Sender } from '../../send/requests.ts'
import { divideIntoLanes } from '../lanes.ts'
import type { PlanContext } from '../plan.ts'
import { sendValidRequest } from '../send-valid.ts'
import { prepareValidRequest, type ValidOptions } from '../valid-requests.ts'

/** A change of a valid request: `{ pointer: '/amount', value: '0.00' }`, or `sentBy('customer')`. */
export interface Edit {
  /** The pointer of a field; empty if several fields are changed at once, or none. */
  readonly pointer: string
  /** The other value, or the fields that are changed. */
  readonly value?: unknown
  /** Who sends it. Default: as the valid request. */
  readonly by?: Sender
}

/** The same request, sent by a customer of the partner. */
export const BY_CUSTOMER: Edit = sentBy('customer')

/** The same request, sent by another identity: no field is changed. */
export function sentBy(by: Sender): Edit {
  return { pointer: '', by }
}

/** An edit that changes several fields at once: `{ url: 'https://10.0.0.1/', status: 'inactive' }`. */
export function editOfFields(fields: object): Edit {
  return { pointer: '', value: fields }
}

/** Edits that each give one field another value. */
export function editsOfField(pointer: string, values: readonly unknown[]): Edit[] {
  return values.map((value) => ({ pointer, value }))
}

/** A valid request to edit, and when another one like it was sent, which the service accepted. */
export interface RequestPair {
  readonly accepted: Pick<Outcome, 'sentAt'>
  readonly requestToEdit: Input
}

/** The same, with the whole outcome of the accepted request. */
export interface ValidPair extends RequestPair {
  readonly accepted: Outcome
}

/** The edits of an operation's valid request. */
export interface EditsToTry {
  readonly operation: string
  /** Which valid request it is. */
  readonly options?: ValidOptions
  /** Builds the edits that the service must refuse from the request that they change. */
  readonly mustRefuse: (requestToEdit: Input) => readonly Edit[]
  readonly mayAccept?: readonly Edit[]
  /** Is called with each edit that the service must refuse and accepted, and with the outcome of the valid request. */
  readonly onAccepted?: (edit: Edit, accepted: Outcome) => void
}

/**
 * Sends a valid request, then variants of a second one like it, each with one edit. Returns both, after the second
 * one was sent without an edit; undefined if the operation is not checked in this run, or its
 * valid request was refused.
 *
 * 1. The valid request, which the service accepts.
 * 2. Edits of a second one that the service must refuse.
 * 3. That second one without an edit, since a refused request uses up no value.
 * 4. Edits that the service may accept, each of a request of its own.
 */
export async function tryEdits(
  context: PlanContext,
  edits: EditsToTry,
): Promise<ValidPair | undefined> {
  const { operation, options, mayAccept = [] } = edits
  if (!context.isChosen(operation)) return undefined

  const accepted = await sendValidRequest(context, operation, options)
  if (!accepted?.isAccepted) return undefined

  const second = await prepareValidRequest(context, operation, options)
  if (!second) return undefined

  const requestToEdit = await sendRefusedEdits(context, edits, { accepted, requestToEdit: second })

  await context.sideBySide(mayAccept, async (edit) => {
    const input = await prepareValidRequest(context, operation, options)
    if (input) await sendEdit(context, operation, { accepted, requestToEdit: input }, edit)
  })
  return { accepted, requestToEdit }
}

/** So many edits of one request are sent one after the other. */
const EDITS_PER_LANE = 12

/**
 * Sends the edits that the service must refuse in lanes: lists of twelve, which may go out side by side. The first
 * lane edits the request of `pair`, each other lane a valid request of its own. Returns the request that the first
 * lane has sent without an edit at its end.
 */
async function sendRefusedEdits(
  context: PlanContext,
  edits: EditsToTry,
  pair: ValidPair,
): Promise<Input> {
  // An edit may depend on its request, which each lane has of its own. So lanes have the indexes of edits: `[0, 1, …]`.
  const indexes = [...edits.mustRefuse(pair.requestToEdit).keys()]
  const [firstLane = [], ...otherLanes] = divideIntoLanes(indexes, EDITS_PER_LANE)

  const sends = [
    () => sendLane(context, edits, pair, firstLane),
    ...otherLanes.map((lane) => () => sendOtherLane(context, edits, pair, lane)),
  ]
  const [sentByFirstLane] = await context.sideBySide(sends, (send) => send())
  return sentByFirstLane ?? pair.requestToEdit
}

/** Sends the edits of a lane, for a valid request of its own. Undefined if that could not be built. */
async function sendOtherLane(
  context: PlanContext,
  edits: EditsToTry,
  pair: ValidPair,
  lane: readonly number[],
): Promise<Input | undefined> {
  const requestToEdit = await prepareValidRequest(context, edits.operation, edits.options)
  if (!requestToEdit) return undefined
  return sendLane(context, edits, { ...pair, requestToEdit }, lane)
}

/**
 * Sends a valid request once with each edit of a lane, all of which the service must refuse, and at last
 * without an edit. Returns the request that was sent without an edit.
 *
 * @param lane The indexes of the edits in the list that `mustRefuse` builds for any request: `[12, 13, …]`.
 */
async function sendLane(
  context: PlanContext,
  { operation, options, mustRefuse, onAccepted }: EditsToTry,
  { accepted, requestToEdit }: ValidPair,
  lane: readonly number[],
): Promise<Input> {
  let valid = requestToEdit
  for (const index of lane) {
    // The edit with this index, for the request that is valid now.
    const edit = mustRefuse(valid)[index]
    if (!edit) continue

    const { isAccepted } = await sendEdit(
      context,
      operation,
      { accepted, requestToEdit: valid },
      edit,
    )
    if (!isAccepted) continue

    onAccepted?.(edit, accepted)
    // An accepted edit has used up the one-time values, such as the tx_id, so that the next one would be refused
    // for that.
    valid = (await prepareValidRequest(context, operation, options)) ?? valid
  }
  await context.send(operation, valid)
  return valid
}

/**
 * Sends a valid request with one edit: another value for a field, or another sender. The history records
 * it as a variant of the accepted request, so that a rule can compare the two.
 */
export async function sendEdit(
  { send }: PlanContext,
  operation: string,
  { accepted, requestToEdit }: RequestPair,
  edit: Edit,
): Promise<Outcome> {
  const body = editBody(requestToEdit.body, edit)
  const { by = requestToEdit.by } = edit
  const intent = { variantOf: accepted.sentAt, edit: edit.pointer }
  return send(operation, { ...requestToEdit, body, by, intent })
}

/**
 * A copy of a body with one edit: `{ pointer: '/amount', value: '0.00' }` sets that field, and `{ pointer: '', value:
 * { url: 'b', status: 'inactive' } }` both of these.
 */
function editBody(body: unknown, { pointer, value }: Edit): unknown {
  const editsOneField = pointer !== ''
  if (editsOneField) return withValue(body, pointer, value)
  // Several fields, or none where only the sender is another one.
  return { ...fieldsOf(body), ...fieldsOf(value) }
}
