import type { Context } from '../../engine/context.ts'
import { below, nodeOf, valueAt } from '../../model/document.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { Resource, Step } from '../../model/resources.ts'
import { lookAt } from './observe.ts'
import { bodyOf, doStep } from './record-steps.ts'

/**
 * Where the contract declares a conflict (409) for the creation and the update of a record, and does not say of which
 * value: a value that one of them refuses because another record has it is refused by the other one too.
 */
export async function tryUniqueAlike(context: Context, resource: Resource): Promise<void> {
  const { create, update } = resource
  if (!update || !isConflicting(create) || !isConflicting(update.view)) return
  for (const pointer of create.maybeUniqueFields.filter((it) => update.view.maybeUniqueFields.includes(it)))
    await tryField(context, { ...resource, update }, pointer)
}

function isConflicting({ statuses }: OperationView): boolean {
  return statuses.includes('409')
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
  const twice = await context.send(create, context.builder.withFields(fresh, { [pointer]: value }))
  const record = nodeOf((await lookAt(context, resource, other))?.record)
  const body = { ...kept(nodeOf(bodyOf(context, update)), record), [pointer.slice(1)]: value }
  const moved = await doStep(context, update, other, { body })
  expectAlike(context, pointer, [twice, moved])
  expectAlike(context, pointer, [moved, twice])
}

/** The body of an update with the values that the record has, so that it changes nothing. */
function kept(
  body: Readonly<Record<string, unknown>>,
  record: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).map(([name, it]) => [name, record[name] ?? it]))
}

function expectAlike(
  context: Context,
  pointer: string,
  [exchange, model]: readonly [Exchange, Exchange],
): void {
  const [id, by] = [exchange.view?.id, model.view?.id]
  const message = `${id} accepted ${pointer} of another record, which ${by} refused (409).`
  if (model.response.status === 409)
    context.expect(exchange, isSuccess(exchange) ? message : undefined, {
      about: `${pointer} twice`,
      contract: below(exchange.view?.pointer ?? '', 'responses', '409'),
    })
}
