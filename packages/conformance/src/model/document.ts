import { stepsOf } from '@partner-payments/validator'

/** An OpenAPI document. */
export interface Document {
  readonly root: Node
  /** The value at a JSON pointer (RFC 6901); undefined if there is none. */
  at(pointer: string): unknown
  /** The node at a pointer, after following references. */
  follow(pointer: string): Place
}

export type Node = Readonly<Record<string, unknown>>

/** A node and its pointer, after following references. */
export interface Place {
  readonly pointer: string
  readonly node: Node
}

/** Limits chains of references. */
const MAX_HOPS = 32

export function createDocument(root: object): Document {
  const known = new Map<string, unknown>()
  const at = (pointer: string) => {
    const found = known.get(pointer) ?? valueAt(root, pointer)
    // Misses are not cached, since a service can return any number of media types.
    if (found !== undefined) known.set(pointer, found)
    return found
  }
  return {
    root: root as Node,
    at,
    follow(pointer) {
      let place = { pointer, node: nodeOf(at(pointer)) }
      for (let hop = 0; hop < MAX_HOPS && typeof place.node.$ref === 'string'; hop++) {
        const target = targetOf(place.node.$ref)
        place = { pointer: target, node: nodeOf(at(target)) }
      }
      return place
    },
  }
}

/**
 * The pointer in a reference to the same document (RFC 6901, section 6). Invalid percent-encoding is kept as it is.
 */
export function targetOf(reference: string): string {
  try {
    return decodeURIComponent(reference.slice(1))
  } catch {
    return reference.slice(1)
  }
}

/** Appends steps to a JSON pointer. */
export function below(pointer: string, ...steps: readonly (string | number)[]): string {
  let at = pointer
  for (const step of steps) at += `/${escaped(String(step))}`
  return at
}

/** Most steps have nothing to escape, and a run builds millions of pointers. */
function escaped(step: string): string {
  return /[~/]/.test(step) ? step.replaceAll('~', '~0').replaceAll('/', '~1') : step
}

/** The value at a JSON pointer; undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>(propertyOf, value)
}

/** A copy with another value at a pointer. */
export function withValueAt(value: unknown, pointer: string, other: unknown): unknown {
  const [step, ...rest] = stepsOf(pointer)
  if (step === undefined) return other
  const deeper = withValueAt(propertyOf(value, step), below('', ...rest), other)
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === step ? deeper : item))
  // The pointer to an item of a list that is left out begins the list.
  if (value === undefined && step === '0') return [deeper]
  return { ...nodeOf(value), [step]: deeper }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

export function nodeOf(value: unknown): Node {
  return isObject(value) ? (value as Node) : {}
}

/** An own property or item; undefined if there is none. */
export function propertyOf(value: unknown, step: string): unknown {
  return isObject(value) && Object.hasOwn(value, step) ? (value as Node)[step] : undefined
}
