import { formatNames } from 'ajv-formats/dist/formats.js'
import { pointerBelow, reachableNodes } from '../operations.ts'
import { patternError } from '../pattern.ts'
import type { Rule } from '../rule.ts'
import { didYouMean } from '../suggest.ts'

/** Keywords of which the first must not exceed the second. */
const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const

const IN_EXTENSION = /\/x-[^/]+$/

/**
 * Reports patterns that are no regular expressions, formats that the validator does not know, lower
 * bounds above their upper ones, and examples of schemas that nothing would check.
 */
export const schemasWork: Rule = function* ({ contract }) {
  for (const { node, at } of reachableNodes(contract, contract, '')) {
    // A mark maps keywords to questions.
    if (IN_EXTENSION.test(at)) continue
    const { pattern, format } = node
    const error = typeof pattern === 'string' ? patternError(pattern) : undefined
    if (error) {
      yield {
        message: `"${pattern}" is not a regular expression (${error}); correct it.`,
        at: pointerBelow(at, 'pattern'),
      }
    }

    for (const [least, most] of BOUNDS) {
      // False too if one of the bounds is absent: nothing is more than NaN.
      const isLeastMore = Number(node[least]) > Number(node[most])
      if (!isLeastMore) continue
      const message = `"${least}" is more than "${most}", so no value conforms; correct one of them.`
      yield { message, at: pointerBelow(at, least) }
    }

    // A parameter, header or media type has an `example` beside its `schema`. Below `properties`, a
    // field may have that name.
    const isSchema = ('type' in node || '$ref' in node) && !('schema' in node) && !('in' in node)
    if (isSchema && 'example' in node && !at.endsWith('/properties')) {
      const message = '"example" is not checked in a schema; write "examples", with a list.'
      yield { message, at: pointerBelow(at, 'example') }
    }

    const isUnknown = typeof format === 'string' && !isFormat(format)
    if (isUnknown) {
      const next = didYouMean(format, formatNames, '; nothing would check it.')
      yield { message: `"${format}" is not a format${next}`, at: pointerBelow(at, 'format') }
    }
  }
}

function isFormat(format: string): boolean {
  return (formatNames as readonly string[]).includes(format)
}
