import { fieldsOf, type Json, valueAt } from './json.ts'

/** A declared field: the open question that marks it, or nothing if it is a fact. */
export interface DeclaredField {
  readonly question?: string
}

/** Limits the depth of references. */
const DEEPEST = 40

/** The field that a schema declares at some steps, with the nearest mark above it; undefined if there is none. */
export function declaredField(
  document: object,
  schema: unknown,
  steps: readonly string[],
  above: DeclaredField = {},
  depth = 0,
): DeclaredField | undefined {
  const node = resolved(document, schema)
  if (!node || depth > DEEPEST) return undefined
  const own = markOf(node) ?? above
  const [step, ...rest] = steps
  if (step === undefined) return own
  const inside = /^\d+$/.test(step) ? node.items : fieldsOf(node.properties)[step]
  const found = inside && declaredField(document, inside, rest, own, depth + 1)
  if (found) return found
  const branches = [node.allOf, node.oneOf, node.anyOf].flatMap((it) => (Array.isArray(it) ? it : []))
  return branches.map((it) => declaredField(document, it, steps, own, depth + 1)).find(Boolean)
}

/** The mark of a node: one question for all of it, or one for its presence or content. */
export function markOf(node: Json): DeclaredField | undefined {
  const mark = node['x-open-question']
  const question = typeof mark === 'string' ? mark : (fieldsOf(mark).content ?? fieldsOf(mark).presence)
  return typeof question === 'string' ? { question } : undefined
}

export function resolved(document: object, value: unknown, hops = 0): Json | undefined {
  const node = fieldsOf(value)
  if (typeof node.$ref !== 'string' || hops > DEEPEST) return value === undefined ? undefined : node
  const target = resolved(document, valueAt(document, node.$ref.slice(1)), hops + 1)
  // A mark beside a reference is about this use.
  return (
    target && {
      ...target,
      ...(node['x-open-question'] !== undefined && { 'x-open-question': node['x-open-question'] }),
    }
  )
}
