import type { Contract } from './contract.ts'
import { below, nodeOf } from './document.ts'
import { schemasIn } from './schemas-in.ts'

/** Keywords that a value can break. Others only contain more schemas. */
const ASSERTIONS = new Set(
  `type enum const maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern format
   maxItems minItems maxProperties minProperties required oneOf anyOf`.split(/\s+/),
)

/** A keyword and its JSON pointer. */
export interface Keyword {
  readonly contract: string
  readonly keyword: string
}

/** The keywords of all request bodies and query parameters. */
export function keywordsOf({ document, operations }: Contract): Keyword[] {
  const places = new Set<string>()
  for (const { bodyPointer, queryParameters } of operations) {
    if (bodyPointer !== undefined) schemasIn(document, bodyPointer, places)
    for (const { pointer } of queryParameters)
      schemasIn(document, below(document.follow(pointer).pointer, 'schema'), places)
  }
  return [...places].flatMap((at) =>
    Object.keys(nodeOf(document.at(at)))
      .filter((keyword) => ASSERTIONS.has(keyword))
      .map((keyword) => ({ contract: below(at, keyword), keyword })),
  )
}
