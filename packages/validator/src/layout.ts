import { type Choice, choiceOf } from './choice.ts'
import { type Cursor, child, children } from './cursor.ts'
import { partsOf } from './resolve.ts'

/** The schemas that one schema's own keywords apply to properties, items and the value itself. */
export interface Layout {
  readonly schema: Cursor
  /** Whether the schema declares properties, so that others are unknown. */
  readonly isClosed: boolean
  readonly named: ReadonlyMap<string, readonly Cursor[]>
  /** Schemas of properties that are not named. */
  readonly others: readonly Cursor[]
  readonly items: readonly Cursor[]
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
  return {
    schema,
    isClosed: child(schema, 'properties') !== undefined,
    named: new Map(children(child(schema, 'properties')).map(([name, it]) => [name, [it]])),
    others: own(schema, 'additionalProperties'),
    items: own(schema, 'items'),
    choices: (['oneOf', 'anyOf'] as const).flatMap((keyword) => {
      const all = partsAt(schema, keyword)
      return all.length > 0 ? { all, choice: choiceOf(root, schema, keyword) } : []
    }),
  }
}

function own(schema: Cursor, keyword: string): Cursor[] {
  const found = child(schema, keyword)
  return found ? [found] : []
}

function partsAt(schema: Cursor, keyword: string): Cursor[] {
  return children(child(schema, keyword)).map(([, it]) => it)
}
