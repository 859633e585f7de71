import type { Operation } from '../contract/contract.ts'
import { stringAt, valueAt, withValue } from '../contract/json.ts'
import { type Edit, editsOf } from '../generate/edits.ts'
import type { Intent } from '../history.ts'
import type { Input, Outcome } from '../send/sender.ts'
import type { PlanContext } from './plan.ts'
import { renewedRequest, validRequest } from './valid.ts'

/** A valid request that was just accepted, from which others are edited. */
export interface Accepted {
  readonly operation: Operation
  readonly input: Input
  readonly sentAt: number
  /** Its edits, apart from those of places that another example of the operation has too. */
  readonly edits: readonly Edit[]
}

/** The examples from which requests are edited, where there are several kinds: a static code can be paid any number of times. */
const KINDS: Readonly<Record<string, readonly number[]>> = { createTransfer: [0, 3], checkCode: [0] }

/** Sends a valid request of each chosen operation with a body or a query, and passes on those that are accepted. */
export async function eachAccepted(
  context: PlanContext,
  work: (accepted: Accepted) => Promise<void>,
): Promise<void> {
  const { contract, isChosen, signal, clock } = context
  const operations = contract.operations.filter(
    ({ id, isAlias }) => !isAlias && isChosen(id) && isEditable(contract, id),
  )
  for (const operation of operations) {
    const known = new Set<string>()
    for (const example of KINDS[operation.id] ?? [0]) {
      if (signal.aborted) return
      const input = await validRequest(context, operation.id, { example, isFull: true })
      const outcome = input && (await sendOnce(context, operation, input))
      if (!input || !outcome?.isAccepted) continue
      const edits = editsOf(operation, input, clock).filter(({ pointer }) => !known.has(pointer))
      await work({ operation, input, sentAt: outcome.sentAt, edits })
      for (const { pointer } of edits) if (pointer !== '/amount') known.add(pointer)
    }
  }
}

/** Whether an operation has a body or parameters of the query. */
function isEditable({ examples }: PlanContext['contract'], id: string): boolean {
  return examples(id).length > 0 || /^list(Immediate|DueDate)QrCodes$/.test(id)
}

/** The edits of a request that make one request together. */
export function joined({ input }: Accepted, edits: readonly Edit[]): Input {
  const body = edits.reduce(
    (built, it) => withValue(built, it.pointer, valueAt(it.input.body, it.pointer)),
    input.body,
  )
  return { ...input, body }
}

/** Sends an edited request with new one-time values, and removes what it creates. */
export async function sendEdited(
  context: PlanContext,
  of: Accepted,
  edit: Pick<Edit, 'input' | 'pointer'>,
  intent: Intent = { variantOf: of.sentAt, edit: edit.pointer },
): Promise<Outcome | undefined> {
  const input = await renewedRequest(context, edit.input, edit.pointer)
  return input && sendOnce(context, of.operation, { ...input, intent })
}

/** Sends a request. A webhook that it creates is deleted at once, since a partner may have only so many. */
export async function sendOnce(context: PlanContext, { id }: Operation, input: Input): Promise<Outcome> {
  const outcome = await context.send(id, input)
  const webhook_id = id === 'createWebhook' && outcome.isAccepted ? stringAt(outcome.json, '/id') : undefined
  if (webhook_id !== undefined) await context.send('deleteWebhook', { path: { webhook_id } })
  return outcome
}
