import { isDeepStrictEqual } from 'node:util'
import type { Resource, Variant } from '@partner-payments/spec/behaviour'
import type { Context } from '../../engine/context.ts'
import { withValueAt } from '../../model/document.ts'
import { type Exchange, type Identity, type Input, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { resourcesOf } from '../../model/resources.ts'
import { createdBy } from '../common/declared-resources.ts'
import { durationSeconds } from '../common/duration.ts'
import { requestWithRecords } from '../common/record-requests.ts'
import { doStep } from '../common/record-steps.ts'
import { computedValue } from './computed-values.ts'

/** A valid request that a variant edits. */
export interface ValidRequest {
  readonly view: OperationView
  readonly input: Input
  readonly identity: Identity
  /** The response that created the record which the request uses; undefined where it uses none. */
  readonly record: Exchange | undefined
}

/** Builds a valid request. Its records belong to the partner, whatever identity sends it. */
export async function validRequest(context: Context, variant: Variant): Promise<ValidRequest | undefined> {
  const view = context.contract.operation(variant.operation)
  const { as: identity = 'partner', from, example = '' } = variant
  const built = await requestWithRecords(context, view, {
    identity,
    from,
    example: Math.max(0, view.exampleNames.indexOf(example)),
    fieldsFor: (source) => givenIn(context, variant, source),
  })
  return built && { view, input: built.input, identity, record: built.records.at(-1) }
}

/** The fields that a variant sets in the creation of its record. */
function givenIn(context: Context, { given = {} }: Variant, view: OperationView): Record<string, unknown> {
  const values = Object.entries(given).map(([pointer, it]) => [
    pointer,
    computedValue(it, { context, view, valid: { body: undefined }, record: undefined, pointer }),
  ])
  return Object.fromEntries(values)
}

/** The request with the edits of a variant; undefined if an edit is impossible. */
export function editedRequest(context: Context, variant: Variant, valid: ValidRequest): Input | undefined {
  const { view, input, record } = valid
  let { body } = input
  for (const [pointer, written] of Object.entries(variant.set ?? {})) {
    const value = computedValue(written, { context, view, valid: input, record, pointer })
    if (value === undefined) return undefined
    body = withValueAt(body, pointer, value)
  }
  for (const pointer of variant.remove ?? []) body = withValueAt(body, pointer, undefined)
  // Without a difference there is nothing to refuse: a code may have no reductions.
  const isSame = variant.set !== undefined && isDeepStrictEqual(body, input.body)
  return isSame ? undefined : { ...input, body }
}

/** Longest wait in seconds. For more, the clock of a sandbox is moved. */
const SHORT = 5

const isDuration = (action: string) => action.startsWith('P')

/** Whether a variant needs more time than a run waits for. */
export function isLater({ after = [] }: Variant): boolean {
  return after.some((it) => isDuration(it) && durationSeconds(it) > SHORT)
}

/** Performs the actions that precede a variant; false if one failed. */
export async function doBefore(
  context: Context,
  { after = [] }: Variant,
  valid: ValidRequest,
): Promise<boolean> {
  for (const action of after) {
    const isDone = isDuration(action) ? await pass(context, action) : await act(context, action, valid)
    if (!isDone) return false
  }
  return true
}

/** Lets time pass. The token of a customer may expire meanwhile; that of the partner is renewed automatically. */
async function pass(context: Context, duration: string): Promise<boolean> {
  const seconds = durationSeconds(duration)
  if (seconds <= SHORT) return context.pause(seconds * 1000).then(() => true)
  const hasMoved = await context.clock.move(seconds)
  if (hasMoved) await context.becomeCustomer()
  return hasMoved
}

/** An operation on the record that the request uses, or another request that uses it. */
async function act(context: Context, action: string, valid: ValidRequest): Promise<boolean> {
  const { record } = valid
  const resource = createdBy(context, record?.view?.id)
  if (!record || !resource) return false
  const known = resourcesOf(context.contract).find(({ create }) => create.id === record.view?.id)
  const step =
    known &&
    [known.cancel, known.remove, known.update, ...known.actions].find(
      (it) => it?.view.id === resource.operations[action],
    )
  const exchange = step
    ? await doStep(context, step, record)
    : await use(context, operationUsing(resource, action), valid)
  return exchange !== undefined && isSuccess(exchange)
}

/** The operation of an action `by: operation#/field`: it uses the record in that field. */
function operationUsing({ states = {} }: Resource, action: string): string | undefined {
  const [by] = Object.values(states).flatMap(({ on = {} }) => on[action]?.by ?? [])
  return by?.split('#')[0]
}

/** Sends the valid request, and then the linked request of another operation if that is the one that uses the record. */
async function use(
  context: Context,
  id: string | undefined,
  valid: ValidRequest,
): Promise<Exchange | undefined> {
  const { view, input, identity } = valid
  const exchange = await context.send(view, input, { identity })
  if (id === view.id) return exchange
  const link = context.contract.links.find(({ from, to }) => from === view.id && to === id)
  const next = link && isSuccess(exchange) ? context.builder.inputFromLink(link, exchange) : undefined
  return link && next && context.send(context.contract.operation(link.to), next, { identity })
}
