import { formatNames } from 'ajv-formats/dist/formats.js'
import type { Node } from '../marks.ts'
import { pointerBelow, reachableNodes } from '../operations.ts'
import { patternError } from '../pattern.ts'
import type { Fault, Rule } from '../rule.ts'
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
    yield* patternFaults(node, at)
    yield* boundFaults(node, at)
    yield* exampleFaults(node, at)
    yield* formatFaults(node, at)
  }
}

/** Reports a pattern that is no regular expression. */
function* patternFaults({ pattern }: Node, at: string): Iterable<Fault> {
  if (typeof pattern !== 'string') return
  const error = patternError(pattern)
  if (!error) return
  const message = `"${pattern}" is not a regular expression (${error}); correct it.`
  yield { message, at: pointerBelow(at, 'pattern') }
}

/** Reports bounds that no value is between, such as `minLength: 10` with `maxLength: 5`. */
function* boundFaults(node: Node, at: string): Iterable<Fault> {
  for (const [least, most] of BOUNDS) {
    // False too if one of the bounds is absent, which gives NaN: nothing is more or less than that.
    const isLeastMore = Number(node[least]) > Number(node[most])
    if (!isLeastMore) continue
    const message = `"${least}" is more than "${most}", so no value conforms; correct one of them.`
    yield { message, at: pointerBelow(at, least) }
  }
}

/** Reports an `example` in a schema, which the lint does not check, unlike `examples`. */
function* exampleFaults(node: Node, at: string): Iterable<Fault> {
  if (!('example' in node)) return
  const isSchema = 'type' in node || '$ref' in node
  // A parameter, header or media type has an `example` beside its `schema`.
  const isBesideSchema = 'schema' in node || 'in' in node
  // In `properties: { example: … }`, it is the name of a field.
  const isNameOfField = at.endsWith('/properties')
  if (!isSchema || isBesideSchema || isNameOfField) return
  const message = '"example" is not checked in a schema; write "examples", with a list.'
  yield { message, at: pointerBelow(at, 'example') }
}

/** Reports a format that the validator does not know, and so would not check. */
function* formatFaults({ format }: Node, at: string): Iterable<Fault> {
  if (typeof format !== 'string') return
  const formats: readonly string[] = formatNames
  if (formats.includes(format)) return
  const next = didYouMean(format, formats, '; nothing would check it.')
  yield { message: `"${format}" is not a format${next}`, at: pointerBelow(at, 'format') }
}
