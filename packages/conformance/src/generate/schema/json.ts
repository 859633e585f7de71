import { stepsOf } from '@partner-payments/validator'

/** What JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** An object of JSON. */
export type JsonObject = { readonly [name: string]: Json }

/** Whether a value is an object of JSON: no list, no null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An own member or item of a value, undefined where it has none. */
export function propertyOf(value: unknown, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as JsonObject)[key]
}

/** One step further down a JSON pointer (RFC 6901, section 3). */
export function pointerOf(pointer: string, key: string): string {
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** A copy in which one value is another; undefined takes the member or item away. What has no members stays. */
export function withValue(root: Json, pointer: string, value: Json | undefined): Json | undefined {
  return changed(root, stepsOf(pointer), value)
}

function changed(node: Json, keys: readonly string[], value: Json | undefined): Json | undefined {
  const [key, ...rest] = keys
  if (key === undefined) return value
  if (typeof node !== 'object' || node === null) return node
  const own = propertyOf(node, key)
  const next = rest.length > 0 && own !== undefined ? changed(own, rest, value) : value
  if (Array.isArray(node)) return withItem(node, Number(key), next)
  const { [key]: _, ...others } = node as JsonObject
  if (next === undefined) return others
  // The member keeps its place, for the order is a change of its own.
  return Object.hasOwn(node as JsonObject, key)
    ? { ...(node as JsonObject), [key]: next }
    : { ...others, [key]: next }
}

function withItem(items: readonly Json[], index: number, value: Json | undefined): Json {
  return value === undefined
    ? items.toSpliced(index, 1)
    : items.toSpliced(index, index < items.length ? 1 : 0, value)
}

/** Whether two values are the same JSON, the order of members included. */
export function isSameJson(one: Json, other: Json): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** `membera`, `memberb` and so on: letters alone, for names may have to be of a form. */
export function generatedName(index: number): string {
  return `member${[...String(index)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`
}
