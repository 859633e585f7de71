import { type Document, nodeOf } from './document.ts'
import { walk } from './walk.ts'

/** An open question that marks the schema of a value, and the pointer of that value. */
export interface Assumption {
  readonly question: string
  readonly at: string
}

/** The open questions about a value and its parts, the whole first. */
export function assumptionsIn(document: Document, schema: string, value: unknown): Assumption[] {
  const found: Assumption[] = []
  walk(document, schema, value, (pointer, _, at) => {
    const { 'x-open-question': mark } = nodeOf(document.at(pointer))
    const questions = typeof mark === 'string' ? [mark] : Object.values(nodeOf(mark))
    for (const question of questions) found.push({ question: String(question), at })
  })
  return found
}
