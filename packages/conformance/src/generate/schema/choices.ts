import { child, children, type Place } from './place.ts'

/** A keyword that offers several branches. */
export interface Choice {
  readonly schema: Place
  readonly keyword: 'oneOf' | 'anyOf'
  readonly branches: readonly Place[]
}

export function choicesOf(schema: Place): Choice[] {
  return (['oneOf', 'anyOf'] as const).flatMap((keyword) => {
    const branches = children(child(schema, keyword)).map(([, branch]) => branch)
    return branches.length > 0 ? [{ schema, keyword, branches }] : []
  })
}
