import type { Context } from '../../engine/context.ts'
import { LINK_VALUE_INVALID, linkValues } from '../../generate/link-values.ts'
import { nodeOf, valueAt } from '../../model/document.ts'
import { NotSent } from '../../model/errors.ts'
import type { Exchange, Input, RequestIdentity } from '../../model/exchange.ts'
import { evaluated } from '../../model/expressions.ts'
import { operationsOf, type Resource, type Step } from '../../model/resources.ts'

/**
 * The input of a step on a record.
 *
 * @throws {NotSent} if the response to the creation lacks a value of the link
 */
export function inputOn({ view, link }: Step, created: Exchange, body?: unknown): Input {
  const taken = linkValues(view, link, created)
  if (!taken) throw new NotSent(`the response of ${link.from} lacks a parameter of ${link.to}`)
  const { into, isAllowed, ...input } = taken
  if (!isAllowed) throw new NotSent(LINK_VALUE_INVALID)
  return { ...input, body: body === undefined ? undefined : into(body) }
}

/** Whether a record, even one of another kind, has all that a step takes: one below another record takes both ids. */
export function canStep({ view, link }: Step, created: Exchange): boolean {
  return linkValues(view, link, created)?.isAllowed === true
}

/** The expression of a link that contains the id of the record: one that reads the response. */
function expressionOf({ link }: Step): unknown {
  const all = Object.values(link.parameters)
  return all.find((it) => String(it).startsWith('$response.')) ?? all[0]
}

/** The id of a record, as the response to its creation shows it. */
export function createdId(step: Step, created: Exchange): string {
  return String(evaluated(expressionOf(step), created) ?? '')
}

/** Returns a function that finds a record in a list, by the field that its id comes from. */
export function itemMatcher(step: Step, created: Exchange): (item: unknown) => boolean {
  const id = createdId(step, created)
  const named = itemIdReader(step)
  return (item) => (named ? String(named(item)) === id : Object.values(nodeOf(item)).map(String).includes(id))
}

/**
 * Returns a function that reads the id of an item of a list. The response of a creation may have an envelope that items
 * do not have. Undefined if the id does not come from a body.
 */
export function itemIdReader(step: Step): ((item: unknown) => unknown) | undefined {
  const [, pointer] = /^\$response\.body#(.*)$/.exec(String(expressionOf(step))) ?? []
  if (pointer === undefined) return undefined
  const last = pointer.slice(pointer.lastIndexOf('/'))
  return (item) => valueAt(item, pointer) ?? valueAt(item, last)
}

/** Any step on a record: its link contains the expression of the id. */
export function anyStep({ read, update, cancel, remove, actions }: Resource): Step | undefined {
  return read ?? cancel ?? remove ?? update ?? actions[0]
}

/** The body that the contract shows for a step, or a valid one where it shows none; undefined where it takes none. */
export function bodyOf({ schemas, builder }: Context, { view }: Step): unknown {
  if (view.bodyPointer === undefined) return undefined
  return view.examples[0] ?? builder.renewed(view, schemas.validOf(view.bodyPointer), '')
}

/** A resource with the steps that may be sent: on a live service, only what can be undone. */
export function sendable({ canSend }: Context, resource: Resource): Resource {
  const allowed = (step: Step | undefined) => (step && canSend(step.view) ? step : undefined)
  const { read, update, remove, cancel, actions } = resource
  return {
    ...resource,
    read: allowed(read),
    update: allowed(update),
    remove: allowed(remove),
    cancel: allowed(cancel),
    actions: actions.filter(({ view }) => canSend(view)),
  }
}

/** Does a step on a record. */
export function doStep(
  context: Context,
  step: Step,
  created: Exchange,
  options: { body?: unknown; identity?: RequestIdentity } = {},
): Promise<Exchange> {
  return context.send(step.view, inputOn(step, created, options.body), {
    identity: options.identity ?? 'partner',
  })
}

/** Creates a record of each resource that the run is about; those that cannot be created are inconclusive. */
export async function withRecords(
  context: Context,
  resources: readonly Resource[],
  work: (resource: Resource, created: Exchange) => Promise<void>,
): Promise<void> {
  await context.each(
    resources.filter((it) => operationsOf(it).some(context.isIncluded) && context.canSend(it.create)),
    async (resource) => {
      const created = await context.accepted(resource.create.id)
      if (created) await work(sendable(context, resource), created)
      else context.inconclusive()
    },
  )
}
