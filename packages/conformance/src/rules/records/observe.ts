import type { Context } from '../../engine/context.ts'
import { nodeOf } from '../../model/document.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { Resource, Step } from '../../model/resources.ts'
import { anyStep, createdId, doStep, itemIdReader, itemMatcher } from '../common/record-steps.ts'
import { findListed } from '../lists/walk.ts'
import { changedFields, type VolatileFields } from './differences.ts'
import { isGone } from './missing-records.ts'

/** A record as the service shows it now. */
export interface Look {
  readonly exchange: Exchange
  /** Undefined where the service does not show it. */
  readonly record: unknown
  /** Whether it is certain that the record is there, or is not. */
  readonly isSure: boolean
}

/** A record as it is read, or as it is listed if it cannot be read; undefined if neither is possible. */
export async function lookAt(
  context: Context,
  resource: Resource,
  created: Exchange,
): Promise<Look | undefined> {
  const { read } = resource
  if (!read) return lookInList(context, resource, created)
  const exchange = await doStep(context, read, created)
  const record = isSuccess(exchange) ? createdRecordIn(exchange, read, created) : undefined
  return { exchange, record, isSure: record !== undefined || isGone(exchange) }
}

/** A record as its list shows it. */
export async function lookInList(
  context: Context,
  resource: Resource,
  created: Exchange,
): Promise<Look | undefined> {
  const step = anyStep(resource)
  const found =
    resource.list &&
    step &&
    (await findListed(context, resource.list, itemMatcher(step, created), created.input.path))
  return (
    found && { exchange: found.first, record: found.item, isSure: found.item !== undefined || found.isSure }
  )
}

/** The created record in a response: the body, or the object inside its envelope. */
export function createdRecordIn({ body }: Exchange, step: Step, created: Exchange): unknown {
  const named = itemIdReader(step) ?? (() => undefined)
  return (
    [body, ...Object.values(nodeOf(body))].find((it) => String(named(it)) === createdId(step, created)) ??
    body
  )
}

/** A record, and its fields that differ between two reads without a change in between. */
export interface Observed {
  readonly look: Look
  readonly volatile: VolatileFields
}

export async function observe(
  context: Context,
  resource: Resource,
  created: Exchange,
): Promise<Observed | undefined> {
  const [first, look] = [await lookAt(context, resource, created), await lookAt(context, resource, created)]
  return first && look && { look, volatile: new Set(changedFields(first.record, look.record)) }
}

/** Whether a record is shown as before, except for its volatile fields. */
export function isUnchanged({ look, volatile }: Observed, after: unknown): boolean {
  return changedFields(look.record, after).every((it) => volatile.has(it))
}

/** A record that was read twice. */
export interface Seen {
  readonly exchange: Exchange
  readonly volatile: VolatileFields
}

export async function seen(context: Context, read: Step, created: Exchange): Promise<Seen> {
  const first = await doStep(context, read, created)
  const exchange = await doStep(context, read, created)
  return { exchange, volatile: new Set(changedFields(first.body, exchange.body)) }
}

/** Whether a response shows a record as it was read before. */
export function isSameAsRead({ exchange, volatile }: Seen, after: Exchange): boolean {
  if (exchange.response.status !== after.response.status) return false
  if (exchange.body === undefined || after.body === undefined)
    return exchange.response.text === after.response.text
  return changedFields(exchange.body, after.body).every((it) => volatile.has(it))
}
