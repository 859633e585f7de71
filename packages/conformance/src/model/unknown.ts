import { type Finding, stepsOf } from '@partner-payments/validator'
import type { ReadBody } from '../contract/bodies.ts'
import { type Operation, readBodySchema } from '../contract/contract.ts'
import { isAtOrInside, isObject } from '../contract/json.ts'
import { type RecordedExchange, WHOLE_BODY } from '../history.ts'

/**
 * What is not known of an exchange, because it was not recorded, was redacted, is nested too
 * deeply, or has a list of too many records. No rule reads it: `needs` of a rule says which parts it must know.
 */
export interface Unknown {
  /** JSON pointers into the body of the request. The empty one is the whole body. */
  readonly requestBody: readonly string[]
  /** JSON pointers into the body of the response. */
  readonly responseBody: readonly string[]
  readonly requestHeaders: boolean
  readonly responseHeaders: boolean
  /** A part of the path or of the query. */
  readonly target: boolean
  /** When it was. */
  readonly times: boolean
  /** When it was by the clock of the service. A recorder's own clock may have been set. */
  readonly serviceTime: boolean
}

/** Whether more than the clock of a recorder says when an exchange happened. */
export function hasCertainTime({ unknown }: { readonly unknown: Unknown }): boolean {
  return !unknown.times && !unknown.serviceTime
}

/**
 * The parts of an exchange that the history does not have, such as values that a recording masked: as
 * pointers into the bodies, and as flags for headers, target and times. Such as
 * `{ requestBody: ['/payer/tax_id'], responseBody: [], requestHeaders: false, … }`. Rules must not judge them.
 */
export function findUnknownParts(
  { request, response, hasUnknownTime, hasUnprovenTime }: RecordedExchange,
  operation: Operation | undefined,
  readBody: ReadBody,
): Unknown {
  return {
    requestBody: listUnknownOfRequest(request, operation, readBody),
    responseBody: listUnknownOfResponse(response, readBody),
    requestHeaders: request.unrecorded?.headers ?? false,
    responseHeaders: response?.unrecorded?.headers ?? false,
    target: request.unrecorded?.target ?? false,
    times: hasUnknownTime === true,
    serviceTime: hasUnprovenTime === true,
  }
}

/**
 * Pointers to the values of a request body that the history does not have; the whole body if it is not read. Empty if
 * the operation takes no body.
 */
function listUnknownOfRequest(
  { body, unrecorded }: RecordedExchange['request'],
  operation: Operation | undefined,
  readBody: ReadBody,
): readonly string[] {
  const takesBody = operation !== undefined && readBodySchema(operation) !== undefined
  if (!takesBody) return []
  if (body !== undefined && readBody(body).isUnread) return WHOLE_BODY
  return limitUnknown(unrecorded?.body ?? [])
}

/** Pointers into the body of a response. */
function listUnknownOfResponse(
  response: RecordedExchange['response'],
  readBody: ReadBody,
): readonly string[] {
  if (readBody(response?.text ?? '').isUnread) return WHOLE_BODY
  return limitUnknown(response?.unrecorded?.body ?? [])
}

/** So many values of a body may be unknown. Each difference from the contract is compared with all of them. */
const MAX_UNKNOWN_VALUES = 5_000

/** The pointers to unknown values. If there are too many, all of the body is unknown. */
function limitUnknown(pointers: readonly string[]): readonly string[] {
  return pointers.length > MAX_UNKNOWN_VALUES ? WHOLE_BODY : pointers
}

/** A body without its unknown values: without `/payer/tax_id`, `{ payer: { name, tax_id } }` is `{ payer: { name } }`. */
export function withoutUnknown(body: unknown, pointers: readonly string[]): unknown {
  if (pointers.length === 0) return body
  return withoutPlaces(body, pointers.map(stepsOf))
}

/**
 * Copies a value without what stands at some places, each a list of steps. All are removed at once: a copy for each
 * of thousands takes seconds. Undefined if one of them is the value itself.
 */
function withoutPlaces(value: unknown, places: readonly (readonly string[])[]): unknown {
  if (places.some((steps) => steps.length === 0)) return undefined

  // What is removed inside of each field or item.
  const placesByStep = Map.groupBy(places, ([step]) => step ?? '')
  const withoutInside = (inside: unknown, step: string): unknown => {
    const placesOfStep = placesByStep.get(step)
    if (!placesOfStep) return inside

    const placesInside = placesOfStep.map(([, ...steps]) => steps)
    return withoutPlaces(inside, placesInside)
  }

  if (Array.isArray(value)) {
    const items = value.map((item, index) => withoutInside(item, String(index)))
    return items.filter((item) => item !== undefined)
  }
  if (!isObject(value)) return value

  const fields = Object.entries(value).map(([name, field]) => [name, withoutInside(field, name)])
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined))
}

/** What is not known of one message. */
interface UnknownOfMessage {
  /** JSON pointers into its body. */
  readonly pointers: readonly string[]
  /** Whether some of its headers are not known. */
  readonly headers: boolean
}

/**
 * Whether a difference from the contract may come from a part of the message that the history does not
 * have: then it is no finding.
 */
export function mayComeFromUnknown(difference: Finding, unknown: UnknownOfMessage): boolean {
  const { place } = difference
  if (place === 'header' || place === 'media-type') return unknown.headers
  if (place !== 'body') return false
  return unknown.pointers.some((pointer) => mayComeFromValue(difference, pointer))
}

/**
 * Whether an unknown value may explain a difference: one at the value, inside it, or of an object around it. An unknown
 * `/payer/name` may explain a `oneOf` that fails at `/payer`, but not that `/payer` has the wrong `type`.
 */
function mayComeFromValue({ pointer, keyword }: Finding, unknownPointer: string): boolean {
  if (isAtOrInside(pointer, unknownPointer)) return true

  const isAround = unknownPointer.startsWith(`${pointer}/`)
  const dependsOnValues = !KEYWORDS_OF_NO_VALUE.has(keyword)
  return isAround && dependsOnValues
}

/** Keywords that do not depend on the values of fields. */
const KEYWORDS_OF_NO_VALUE: ReadonlySet<string> = new Set([
  'type',
  'required',
  'unknown',
  'minItems',
])
