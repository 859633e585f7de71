import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fieldsOf, stepsOf } from '@partner-payments/contract'
import { readYaml } from '../files.ts'
import { isNode, marksOf } from '../marks.ts'
import type { Rule } from '../rule.ts'

/**
 * Reports statements of facts.yaml that do not refer to an existing place of the contract, or to
 * one that is an assumption.
 */
export const factsStatements: Rule = function* ({ spec, facts: { value, file } }) {
  for (const [index, { says, at }] of value.statements.entries()) {
    const reason = whyNoFact(spec, at)
    if (!reason) continue
    yield {
      message: `"${says}" must refer to a fact of the contract; "${at}" ${reason}; correct the place.`,
      at: `/statements/${index}/at`,
      file,
    }
  }
}

/**
 * Why a place such as `responses.yaml#/NotFound/description` is no fact, as the end of a sentence;
 * undefined if it is one.
 */
function whyNoFact(folder: string, at: string): string | undefined {
  const [name = '', pointer = ''] = at.split('#')
  if (!existsSync(join(folder, name))) return 'is not a file'

  let node = readYaml<unknown>(folder, name).value
  for (const step of stepsOf(pointer)) {
    const marks = isNode(node) ? marksOf(node) : []
    // A mark without a keyword is of the whole node.
    const isAssumed = marks.some(({ keyword }) => keyword === undefined || keyword === step)
    if (isAssumed) return 'is an assumption'
    node = findChild(node, step)
  }
  return node === undefined ? 'does not exist' : undefined
}

/** A tag is found by its name, so that another one before it does not move it. */
function findChild(node: unknown, step: string): unknown {
  const named = Array.isArray(node) ? node.find((item) => fieldsOf(item).name === step) : undefined
  return named ?? (node as Readonly<Record<string, unknown>> | undefined)?.[step]
}
