import { stepsOf } from '@partner-payments/validator'
import type { Context } from '../../engine/context.ts'
import { below, nodeOf, valueAt } from '../../model/document.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { Resource, Step } from '../../model/resources.ts'
import { bodyOf, doStep } from '../common/record-steps.ts'
import { lookAt } from './observe.ts'

/**
 * Where the contract declares a conflict (409) for the creation and the update of a record, and does not say of which
 * value: a value that one of them refuses because another record has it is refused by the other one too.
 */
export async function tryConsistentUniqueness(context: Context, resource: Resource): Promise<void> {
  const { create, update } = resource
  for (const pointer of update ? create.maybeUniqueFields : [])
    if (update?.view.maybeUniqueFields.includes(pointer))
      await tryField(context, { ...resource, update }, pointer)
}

async function tryField(
  context: Context,
  resource: Resource & { readonly update: Step },
  pointer: string,
): Promise<void> {
  const { create, update } = resource
  const [one, other] = [await context.accepted(create.id), await context.accepted(create.id)]
  const value = valueAt(one?.input.body, pointer)
  const fresh = await context.builder.inputOf(create, { identity: 'partner' })
  if (!one || !other || !fresh || value === undefined) return context.inconclusive()
  // The same update with the record's own values is accepted, so a refusal is about the value.
  const body = currentValues(nodeOf(bodyOf(context, update)), await recordOf(context, resource, other))
  if (!isSuccess(await doStep(context, update, other, { body }))) return context.inconclusive()
  const [name = ''] = stepsOf(pointer)
  const moved = await doStep(context, update, other, { body: { ...body, [name]: value } })
  const isTaken = valueAt(await recordOf(context, resource, other), pointer) === value
  const twice = await context.send(create, context.builder.withFields(fresh, { [pointer]: value }))
  if (isConflict(twice) && isTaken) expectRefused(context, pointer, { accepted: moved, refused: twice })
  else if (isConflict(moved)) expectRefused(context, pointer, { accepted: twice, refused: moved })
}

async function recordOf(context: Context, resource: Resource, created: Exchange) {
  return nodeOf((await lookAt(context, resource, created))?.record)
}

/** The body of an update with the values that the record has, so that it changes nothing. */
function currentValues(
  body: Readonly<Record<string, unknown>>,
  record: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).map(([name, it]) => [name, record[name] ?? it]))
}

function isConflict({ response }: Exchange): boolean {
  return response.status === 409
}

interface Pair {
  readonly accepted: Exchange
  readonly refused: Exchange
}

function expectRefused(context: Context, pointer: string, { accepted, refused }: Pair): void {
  const [id, by] = [accepted.view?.id, refused.view?.id]
  const message = `${id} accepted ${pointer} of another record, which ${by} refused (409).`
  context.expect(accepted, isSuccess(accepted) ? message : undefined, {
    about: `${pointer} twice`,
    contract: below(accepted.view?.pointer ?? '', 'responses', '409'),
  })
}
