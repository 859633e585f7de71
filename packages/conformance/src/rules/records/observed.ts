import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../engine/context.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { Step } from '../../model/resources.ts'
import { doStep } from './records.ts'

/** A record as it is read, and what of it changes by itself, as a count of how often it was looked at. */
export interface Seen {
  readonly exchange: Exchange
  /** Members that two reads show otherwise, with nothing between them. */
  readonly moving: readonly string[]
}

/** Reads a record twice. */
export async function seen(context: Context, read: Step, created: Exchange): Promise<Seen> {
  const first = await doStep(context, read, created)
  const exchange = await doStep(context, read, created)
  return { exchange, moving: movingIn(first.body, exchange.body) }
}

/** The members that differ between two showings of one record, in value or in being there. */
export function movingIn(one: unknown, other: unknown): string[] {
  const [left, right] = [nodeOf(one), nodeOf(other)]
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].filter((name) => !isDeepStrictEqual(left[name], right[name]))
}

/** Whether an answer shows a record as it was seen, but for what changes by itself, in whatever order. */
export function isAsSeen({ exchange, moving }: Seen, after: Exchange): boolean {
  if (exchange.response.status !== after.response.status) return false
  if (!isObject(exchange.body) || !isObject(after.body)) return exchange.response.text === after.response.text
  return isSameBut(moving, exchange.body, after.body)
}

/** Whether two showings of a record are the same, but for some of its members. */
export function isSameBut(moving: readonly string[], one: unknown, other: unknown): boolean {
  return movingIn(one, other).every((name) => moving.includes(name))
}

function isObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null
}
