import { stepsOf } from '@partner-payments/validator'
import { propertyOf as ownProperty } from '../../model/document.ts'

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** A JSON object. */
export type JsonObject = { readonly [name: string]: Json }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An own property or item; undefined if there is none. */
export function propertyOf(value: unknown, key: string): Json | undefined {
  return ownProperty(value, key) as Json | undefined
}

/** A copy with another value at a pointer; undefined removes the property or item. */
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
  // Keeps the order of properties, since reordering is a case of its own.
  return Object.hasOwn(node as JsonObject, key)
    ? { ...(node as JsonObject), [key]: next }
    : { ...others, [key]: next }
}

function withItem(items: readonly Json[], index: number, value: Json | undefined): Json {
  return value === undefined
    ? items.toSpliced(index, 1)
    : items.toSpliced(index, index < items.length ? 1 : 0, value)
}

/** Whether two values are the same JSON, including the order of properties. */
export function isSameJson(one: Json, other: Json): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
