import type { Operation } from '../contract/contract.ts'
import { stringAt } from '../contract/json.ts'
import { type Edit, generateEdits } from '../generate.ts'
import type { Intent } from '../history.ts'
import { type Input, mayRefuseValue, type Outcome } from '../send/requests.ts'
import { listOptionalParts } from './bodies.ts'
import { divideIntoLanes } from './lanes.ts'
import type { PlanContext } from './plan.ts'
import { CODE_KINDS } from './records.ts'
import type { ValidOutcome } from './send-valid.ts'
import { EXAMPLE, prepareValidRequest, renewRequest } from './valid-requests.ts'

/** Valid requests from which the plans `boundaries`, `breaks` and `random` edit others. */

/**
 * A valid request that the service has just accepted, and the edits of it that can be sent, such as
 * `{ pointer: '/amount', value: null, isValid: false }`.
 */
export interface AcceptedRequest {
  readonly operation: Operation
  readonly input: Input
  readonly sentAt: number
  /** Apart from edits of places that an earlier example of the operation has too. */
  readonly edits: readonly Edit[]
}

/**
 * Sends valid requests of each chosen operation that has a body or a query, and does `work` with each
 * request that the service accepts, such as sending invalid variants of it. Returns the results of
 * `work` in one list.
 */
export async function forEachAccepted<Result>(
  context: PlanContext,
  work: (accepted: AcceptedRequest) => Promise<Result>,
): Promise<readonly Result[]> {
  const { contract, isChosen, sideBySide } = context
  // An alias is a second path of an operation, which is in the list itself.
  const operations = contract.operations.filter(
    ({ id, isAlias }) => !isAlias && isChosen(id) && isEditable(context, id),
  )
  const resultsByOperation = await sideBySide(operations, async (operation) => {
    const accepted = await sendExamples(context, operation)
    return sideBySide(accepted, work)
  })
  return resultsByOperation.flat()
}

/**
 * Sends the examples of one operation, one request or two. Returns those that the service accepts, each with its
 * edits: values at and beyond the limits of its fields.
 */
async function sendExamples(
  context: PlanContext,
  operation: Operation,
): Promise<readonly AcceptedRequest[]> {
  const accepted: AcceptedRequest[] = []
  const editedPointers = new Set<string>()
  for (const example of editedExamples(operation.id)) {
    const sent = await sendWithOptionalParts(context, operation, example)
    if (!sent?.isAccepted) continue

    const { input, sentAt } = sent
    // A field that two examples share is edited in the first one alone.
    const possibleEdits = generateEdits(operation, input, context.clock)
    const edits = possibleEdits.filter(({ pointer }) => !editedPointers.has(pointer))
    accepted.push({ operation, input, sentAt, edits })
    for (const { pointer } of edits) editedPointers.add(pointer)
    // The amount of a transfer is edited in both examples: other rules hold for that of a code than for that of a key.
    editedPointers.delete('/amount')
  }
  return accepted
}

/**
 * Sends an example with all its optional parts. If the service refuses that, sends it without them, and then with one
 * more of them at a time: each part that is refused is left out again. Returns the last request that was accepted, or
 * one that was refused if none was; undefined if it could not be built.
 */
async function sendWithOptionalParts(
  context: PlanContext,
  operation: Operation,
  example: number,
): Promise<ValidOutcome | undefined> {
  async function send(optionalParts: readonly string[]): Promise<ValidOutcome | undefined> {
    const input = await prepareValidRequest(context, operation.id, { example, optionalParts })
    if (!input) return undefined
    return { ...(await sendAndDeleteWebhook(context, operation, input)), input }
  }

  const parts = listOptionalParts(context, operation.id)
  const full = await send(parts)
  if (!full) return undefined
  const mayConcernPart = parts.length > 0 && mayRefuseValue(full.status)
  if (!mayConcernPart) return full

  let accepted = await send([])
  // If there is only one part, it is the one that was refused.
  if (!accepted?.isAccepted || parts.length === 1) return accepted

  const acceptedParts: string[] = []
  for (const part of parts) {
    const withPart = await send([...acceptedParts, part])
    if (!withPart?.isAccepted) continue
    acceptedParts.push(part)
    accepted = withPart
  }
  return accepted
}

/** Whether requests of an operation have a body, or a query. */
function isEditable({ contract }: PlanContext, operation: string): boolean {
  return contract.examples(operation).length > 0 || LISTS_WITH_QUERY.has(operation)
}

const LISTS_WITH_QUERY: ReadonlySet<string> = new Set(CODE_KINDS.map(({ list }) => list))

/** The examples of an operation that are edited. */
function editedExamples(operation: string): readonly number[] {
  if (operation !== 'createTransfer') return [0]
  // A static code can be paid any number of times.
  return [EXAMPLE.staticCode, EXAMPLE.key]
}

/**
 * Sends a variant of an accepted request: the same with an edit, such as another amount. Its one-time values, such
 * as `initiation_id`, are new, so that only the edit can be a reason for a refusal. Undefined if the service issues no
 * new value: then nothing is sent.
 *
 * @param edited The accepted request with the edit.
 * @param intent Which field was edited: `{ edit: '/amount' }`.
 */
export async function sendEdited(
  context: PlanContext,
  { operation, sentAt }: AcceptedRequest,
  edited: Input,
  intent: Intent,
): Promise<Outcome | undefined> {
  // A value that is edited itself must stay as it is.
  const renewed = await renewRequest(context, edited, intent.edit)
  if (!renewed) return undefined

  const variant = { ...renewed, intent: { ...intent, variantOf: sentAt } }
  return sendAndDeleteWebhook(context, operation, variant)
}

/**
 * Sends a request and returns its outcome. If it creates a webhook, deletes the webhook at once, since a
 * partner may have only so many.
 *
 * @param readWebhook Reads the webhook before it is deleted.
 */
export async function sendAndDeleteWebhook(
  context: PlanContext,
  { id }: Operation,
  input: Input,
  readWebhook?: (webhookId: string) => Promise<unknown>,
): Promise<Outcome> {
  const outcome = await context.send(id, input)
  const isWebhookCreated = id === 'createWebhook' && outcome.isAccepted
  if (!isWebhookCreated) return outcome

  const webhook_id = stringAt(outcome.json, '/id')
  if (webhook_id === undefined) return outcome

  await readWebhook?.(webhook_id)
  await context.send('deleteWebhook', { path: { webhook_id } })
  return outcome
}

/** So many edits of one request are sent one after the other. */
const EDITS_PER_LANE = 8

/** Divides edits into lanes of eight. Lanes are sent side by side, and the edits of a lane one after the other. */
export function divideEditsIntoLanes(edits: readonly Edit[]): readonly (readonly Edit[])[] {
  return divideIntoLanes(edits, EDITS_PER_LANE)
}
