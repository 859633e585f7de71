import { formatNames } from 'ajv-formats/dist/formats.js'
import { below, reached } from '../operations.ts'
import { patternError } from '../pattern.ts'
import type { Rule } from '../rule.ts'
import { didYouMean } from '../suggest.ts'

const IN_EXTENSION = /\/x-[^/]+$/

/** Every pattern must be a regular expression, and every format one that the validator knows. */
export const schemasWork: Rule = function* ({ contract }) {
  for (const { node, at } of reached(contract, contract, '')) {
    // A mark maps keywords to questions.
    if (IN_EXTENSION.test(at)) continue
    const { pattern, format } = node
    const error = typeof pattern === 'string' ? patternError(pattern) : undefined
    if (error) {
      yield {
        message: `"${pattern}" is not a regular expression (${error}); correct it.`,
        at: below(at, 'pattern'),
      }
    }

    const isUnknown = typeof format === 'string' && !isFormat(format)
    if (isUnknown) {
      const next = didYouMean(format, formatNames, '; nothing would check it.')
      yield { message: `"${format}" is not a format${next}`, at: below(at, 'format') }
    }
  }
}

function isFormat(format: string): boolean {
  return (formatNames as readonly string[]).includes(format)
}
