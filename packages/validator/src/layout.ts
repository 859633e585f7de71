import { type Choice, choiceOf } from './choice.ts'
import { type Cursor, child, children } from './cursor.ts'
import { regExpOf } from './keywords.ts'
import { dynamicTargets } from './reference.ts'
import { partsOf } from './resolve.ts'

/** The schemas that one schema's own keywords apply to properties, items and the value itself. */
export interface Layout {
  readonly schema: Cursor
  /** Whether the schema declares properties, so that others are unknown. */
  readonly isClosed: boolean
  readonly named: ReadonlyMap<string, readonly Cursor[]>
  readonly patterns: readonly { readonly names: RegExp; readonly schema: Cursor }[]
  /** Schemas of properties that are neither named nor matched. */
  readonly others: readonly Cursor[]
  /** Schemas of the first items by position; later items use `items`. */
  readonly first: readonly Cursor[]
  readonly items: readonly Cursor[]
  /** Schemas that may apply to the value, by a condition or a dynamic reference. */
  readonly branches: readonly Cursor[]
  readonly choices: readonly Either[]
}

/** The branches of a choice, and how to select one if possible. */
export interface Either {
  readonly all: readonly Cursor[]
  readonly choice: Choice | undefined
}

const layouts = new WeakMap<Cursor, readonly Layout[]>()

/** The layouts of a schema and of all schemas that it always applies; cached. */
export function layoutsOf(root: Cursor, schema: Cursor): readonly Layout[] {
  const known = layouts.get(schema) ?? partsOf(root, schema).map((part) => layoutOf(root, part))
  layouts.set(schema, known)
  return known
}

function layoutOf(root: Cursor, schema: Cursor): Layout {
  const patterns = children(child(schema, 'patternProperties'))
  return {
    schema,
    isClosed: child(schema, 'properties') !== undefined,
    named: new Map(children(child(schema, 'properties')).map(([name, it]) => [name, [it]])),
    patterns: patterns.map(([names, it]) => ({ names: regExpOf(names) ?? /(?!)/, schema: it })),
    others: own(schema, 'additionalProperties', 'unevaluatedProperties'),
    first: partsAt(schema, 'prefixItems'),
    items: own(schema, 'items'),
    branches: [
      ...own(schema, 'if', 'then', 'else'),
      ...partsAt(schema, 'dependentSchemas'),
      ...dynamicTargets(root, schema),
    ],
    choices: (['oneOf', 'anyOf'] as const).flatMap((keyword) => {
      const all = partsAt(schema, keyword)
      return all.length > 0 ? { all, choice: choiceOf(root, schema, keyword) } : []
    }),
  }
}

function own(schema: Cursor, ...keywords: readonly string[]): Cursor[] {
  return keywords.flatMap((keyword) => child(schema, keyword) ?? [])
}

function partsAt(schema: Cursor, keyword: string): Cursor[] {
  return children(child(schema, keyword)).map(([, it]) => it)
}
