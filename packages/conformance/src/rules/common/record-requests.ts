import type { Context } from '../../engine/context.ts'
import type { BuildOptions } from '../../generate/request-builder.ts'
import type { Exchange, Identity, Input } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { createdBy } from './declared-resources.ts'

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
