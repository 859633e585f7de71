import { ASSUMED, ENUM_DESCRIPTIONS, ENUM_FROM, MARK } from '../marks.ts'
import { ALIAS_OF, pointerBelow, reachableNodes } from '../operations.ts'
import type { Rule } from '../rule.ts'
import { didYouMean } from '../suggest.ts'

/** The extensions that programs of this repository read. */
const EXTENSIONS = [
  MARK,
  ASSUMED,
  ENUM_DESCRIPTIONS,
  ENUM_FROM,
  ALIAS_OF,
  'x-deprecation',
  'x-effect',
  'x-essential',
  'x-echoes',
  'x-guide',
  'x-displayName',
]

/** Below these keys are names, such as that of a header, which also begin with `x-`. */
const MAPS = /\/(headers|properties)$/

/** Reports extensions (`x-…`) that no program reads: a misspelt one would do nothing. */
export const extensionsKnown: Rule = function* ({ contract }) {
  for (const { node, at } of reachableNodes(contract, contract, '')) {
    // There, the keys are names of headers and fields, which may begin with `x-`.
    if (MAPS.test(at)) continue
    for (const name of Object.keys(node)) {
      if (!name.startsWith('x-') || EXTENSIONS.includes(name)) continue
      const next = didYouMean(name, EXTENSIONS, `; it is one of ${EXTENSIONS.join(', ')}.`)
      yield {
        message: `"${name}" is not an extension of this contract${next}`,
        at: pointerBelow(at, name),
      }
    }
  }
}
