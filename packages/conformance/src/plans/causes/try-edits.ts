import { fieldsOf, withValue } from '../../contract/json.ts'
import type { Input, Outcome, Sender } from '../../send/requests.ts'
import { divideIntoLanes } from '../lanes.ts'
import type { PlanContext } from '../plan.ts'
import { sendValidRequest } from '../send-valid.ts'
import { prepareValidRequest, type ValidOptions } from '../valid-requests.ts'

/** A change of a valid request: `{ at: '/amount', value: '0.00' }`, or `sentBy('customer')`. */
export interface Edit {
  /** The pointer of a field; empty if several fields are changed at once, or none. */
  readonly at: string
  /** The other value, or the fields that are changed. */
  readonly value?: unknown
  /** Who sends it. Default: as the valid request. */
  readonly by?: Sender
}

/** The same request, sent by a customer of the partner. */
export const BY_CUSTOMER: Edit = sentBy('customer')

/** The same request, sent by another identity: no field is changed. */
export function sentBy(by: Sender): Edit {
  return { at: '', by }
}

/** An edit that changes several fields at once: `{ url: 'https://10.0.0.1/', status: 'inactive' }`. */
export function editOfFields(fields: object): Edit {
  return { at: '', value: fields }
}

/** Edits that each give one field another value. */
export function editsOfField(at: string, values: readonly unknown[]): Edit[] {
  return values.map((value) => ({ at, value }))
}

/** A valid request that was not sent yet, and the outcome of one like it that was accepted. */
export interface ValidPair {
  readonly accepted: Outcome
  readonly unsent: Input
}

/** The edits of an operation's valid request. */
export interface EditsToTry {
  readonly operation: string
  /** Which valid request it is. */
  readonly options?: ValidOptions
  /** The edits that the service must refuse, built from the request that they change. */
  readonly refused: (unsent: Input) => readonly Edit[]
  /** The edits that it may accept. */
  readonly allowed?: readonly Edit[]
}

/**
 * Sends a valid request, then variants of another one like it, each with one edit. Returns the accepted
 * request and the one that was edited; undefined if the operation is not checked in this run, or its
 * valid request was refused.
 *
 * 1. The valid request, which the service accepts.
 * 2. Edits of a second one that the service must refuse.
 * 3. That second one without an edit, since a refused request uses up no value.
 * 4. Edits that the service may accept, each of a request of its own.
 */
export async function tryEdits(
  context: PlanContext,
  { operation, options = {}, refused, allowed = [] }: EditsToTry,
): Promise<ValidPair | undefined> {
  if (!context.isChosen(operation)) return undefined
  const accepted = await sendValidRequest(context, operation, options)
  if (!accepted?.isAccepted) return undefined
  const first = await prepareValidRequest(context, operation, options)
  if (!first) return undefined

  // A lane is a list of edits that go out one after the other. Lanes may go out side by side, so that
  // each edits a valid request of its own. Edits depend on the request, so that a lane has their indexes.
  const indexes = [...refused(first).keys()]
  const [firstLane = [], ...otherLanes] = divideIntoLanes(indexes, EDITS_PER_LANE)
  // The first result is that of the first lane: the request that was sent without an edit at last.
  const [unsent = first] = await context.sideBySide([firstLane, ...otherLanes], async (lane) => {
    const isFirstLane = lane === firstLane
    const valid = isFirstLane ? first : await prepareValidRequest(context, operation, options)
    if (!valid) return undefined
    const pair = { accepted, unsent: valid }
    return sendRefusedEdits(context, { operation, options, refused }, pair, lane)
  })

  await context.sideBySide(allowed, async (edit) => {
    const input = await prepareValidRequest(context, operation, options)
    if (input) await sendEdit(context, operation, { accepted, unsent: input }, edit)
  })
  return { accepted, unsent }
}

/** So many edits of one request are sent one after the other. */
const EDITS_PER_LANE = 12

/**
 * Sends a valid request once with each edit of a lane, all of which the service must refuse, and at last
 * without an edit. Returns the request that was sent without an edit.
 *
 * @param lane The indexes of the edits in the list that `refused` builds.
 */
async function sendRefusedEdits(
  context: PlanContext,
  { operation, options, refused }: Pick<EditsToTry, 'operation' | 'options' | 'refused'>,
  { accepted, unsent }: ValidPair,
  lane: readonly number[],
): Promise<Input> {
  // What is sent is a variant of `accepted`, with which a rule compares it. `valid` is a request of the same
  // kind, with one-time values that nothing has used up.
  let valid = unsent
  for (const i of lane) {
    // The edits are built from the request that is valid now, always in the same order.
    const edit = refused(valid)[i]
    if (!edit) continue
    const { isAccepted } = await sendEdit(context, operation, { accepted, unsent: valid }, edit)
    // An accepted edit has used up the values, so that the next one would be refused for that.
    if (isAccepted) valid = (await prepareValidRequest(context, operation, options)) ?? valid
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
  { accepted, unsent }: ValidPair,
  { at, value, by = unsent.by }: Edit,
): Promise<Outcome> {
  // Several, or none where only the sender is another one.
  const editsSeveralFields = at === ''
  const body = editsSeveralFields
    ? { ...fieldsOf(unsent.body), ...fieldsOf(value) }
    : withValue(unsent.body, at, value)
  const intent = { variantOf: accepted.sentAt, edit: at }
  return send(operation, { ...unsent, body, by, intent })
}
