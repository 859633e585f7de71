import type { Resource } from '@partner-payments/spec/behaviour'
import type { Context } from '../../engine/context.ts'
import type { BuildOptions } from '../../generate/request-builder.ts'
import { type Node, nodeOf, valueAt } from '../../model/document.ts'
import type { Exchange, Identity, Input } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'

/** The resources that spec/behaviour declares. */
export function declaredResources({ behaviour }: Pick<Context, 'behaviour'>): readonly Resource[] {
  return Object.values(behaviour.resources ?? {})
}

/** The resource whose records an operation creates. */
export function createdBy(context: Pick<Context, 'behaviour'>, id: string | undefined): Resource | undefined {
  return declaredResources(context).find(({ operations }) => operations.create === id)
}

/** The record in a response or an event: the body, or the object in it that has the same id or the only id. */
export function recordIn(body: unknown, { id = '/id' }: Pick<Resource, 'id'>): Node {
  const own = valueAt(body, id)
  const parts = Object.values(nodeOf(body))
  const isRecord = (it: unknown) =>
    valueAt(it, id) !== undefined && valueAt(it, id) === (own ?? valueAt(it, id))
  return nodeOf(parts.find(isRecord) ?? body)
}

/** The id of a record that a body shows; undefined where it shows none. */
export function idIn(resource: Pick<Resource, 'id'>, body: unknown): string | undefined {
  const id = valueAt(recordIn(body, resource), resource.id ?? '/id')
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

/** The id of a record that a response shows. */
export function idOf({ body }: Exchange, resource: Pick<Resource, 'id'>): string | undefined {
  return idIn(resource, body)
}

/** Sends an operation on a created record; undefined if it must not be sent or no link leads to it. */
export async function actOn(
  context: Context,
  created: Exchange,
  id: string | undefined,
  { identity = 'partner', set = {} }: { identity?: Identity; set?: Readonly<Record<string, unknown>> } = {},
): Promise<Exchange | undefined> {
  const link = context.contract.links.find(({ from, to }) => from === created.view?.id && to === id)
  const view = link && context.contract.operation(link.to)
  const input = link && view && context.canSend(view) && context.builder.inputFromLink(link, created)
  return input ? context.send(view, context.builder.withFields(input, set), { identity }) : undefined
}

/** A request, and the records that its values were taken from. */
export interface BuiltRequest {
  readonly input: Input
  readonly records: readonly Exchange[]
}

interface RecordOptions extends Pick<BuildOptions, 'identity' | 'example' | 'from'> {
  readonly identity: Identity
  /** Fields to set in the creation of its records. */
  readonly fieldsFor?: NonNullable<BuildOptions['fieldsFor']>
}

/** Builds a valid request. Its records belong to the partner, so that a customer who sends it pays somebody else. */
export async function requestWithRecords(
  context: Context,
  view: OperationView,
  { fieldsFor = () => ({}), ...options }: RecordOptions,
): Promise<BuiltRequest | undefined> {
  const records: Exchange[] = []
  const isCreation = (id: string | undefined) => createdBy(context, id) !== undefined
  if (!context.canSend(view)) return undefined
  const input = await context.builder.inputOf(view, {
    ...options,
    identityFor: ({ id }) => (isCreation(id) ? 'partner' : options.identity),
    fieldsFor: (source) => (isCreation(source.id) ? fieldsFor(source) : {}),
    onSource: (it) => {
      if (isCreation(it.view?.id)) records.push(it)
    },
  })
  return input && { input, records }
}

/** The identity that uses records of the partner: the customer if there is one. */
export function userOf({ identities }: Context): Identity {
  return identities.has('customer') ? 'customer' : 'partner'
}
