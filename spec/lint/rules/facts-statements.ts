import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fieldsOf, stepsOf } from '@partner-payments/contract'
import { readYaml } from '../files.ts'
import { isMarkedWhole, isNode, marksOf } from '../marks.ts'
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
 * Why a place of the contract such as `paths/auth.yaml#/token/post/description` cannot state a fact,
 * as the end of a sentence, such as `is an assumption` if a mark is at or above it; undefined if it
 * can.
 */
function whyNoFact(folder: string, at: string): string | undefined {
  const [name = '', pointer = ''] = at.split('#')
  if (!existsSync(join(folder, name))) return 'is not a file'

  let node = readYaml<unknown>(folder, name).value
  for (const step of stepsOf(pointer)) {
    if (isAssumed(node, step)) return 'is an assumption'
    node = findChild(node, step)
  }
  return node === undefined ? 'does not exist' : undefined
}

/** Whether a node as a whole, or one of its keywords, is an assumption. */
function isAssumed(node: unknown, keyword: string): boolean {
  if (!isNode(node)) return false
  return isMarkedWhole(node) || marksOf(node).some((mark) => mark.keyword === keyword)
}

/** A tag is found by its name, so that another one before it does not move it. */
function findChild(node: unknown, step: string): unknown {
  if (!Array.isArray(node)) return fieldsOf(node)[step]
  return node.find((item) => fieldsOf(item).name === step) ?? node[Number(step)]
}
