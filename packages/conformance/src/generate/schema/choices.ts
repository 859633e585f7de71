import { child, children, type Place } from './place.ts'

/** A keyword that offers several branches. */
export interface Choice {
  readonly schema: Place
  readonly keyword: 'oneOf' | 'anyOf' | 'if'
  /** The schemas of each branch. */
  readonly branches: readonly (readonly Place[])[]
}

export function choicesOf(schema: Place): Choice[] {
  const lists = (['oneOf', 'anyOf'] as const).map((keyword) => ({
    schema,
    keyword,
    branches: children(child(schema, keyword)).map(([, branch]) => [branch]),
  }))
  return [...lists.filter(({ branches }) => branches.length > 0), ...conditionOf(schema)]
}

function conditionOf(schema: Place): Choice[] {
  const [test, then, otherwise] = ['if', 'then', 'else'].map((keyword) => child(schema, keyword))
  if (!test) return []
  return [{ schema, keyword: 'if', branches: [then ? [test, then] : [test], otherwise ? [otherwise] : []] }]
}
