import { type Document, nodeOf } from './document.ts'
import { walk } from './schema-walk.ts'

/** An open question that marks the schema of a value, and the pointer of that value. */
export interface Assumption {
  readonly question: string
  readonly at: string
  /** What it is about: a keyword of the schema, `meaning` or `presence`; empty for the whole schema. */
  readonly keyword: string
}

/**
 * The open questions about a value and its parts, the whole first. Marks of `meaning` come last, since a mark of a
 * keyword, such as `pattern`, is more specific.
 */
export function assumptionsIn(document: Document, schema: string, value: unknown): Assumption[] {
  const found: Assumption[] = []
  walk(document, schema, value, (pointer, _, at) => {
    const { 'x-open-question': mark } = nodeOf(document.at(pointer))
    const marks = typeof mark === 'string' ? [['', mark]] : Object.entries(nodeOf(mark))
    for (const [keyword, question] of marks) found.push({ question: String(question), at, keyword })
  })
  return [...found.filter((it) => !isMeaning(it)), ...found.filter(isMeaning)]
}

export function isMeaning({ keyword }: Pick<Assumption, 'keyword'>): boolean {
  return keyword === 'meaning'
}
