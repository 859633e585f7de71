import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Oas3Rule, unescapePointerFragment } from '@redocly/openapi-core'
import { readFacts } from '../facts.ts'
import { isNode, isOurs } from '../marks.ts'
import { readYaml } from '../read-yaml.ts'

/** Every statement of facts.yaml points at a place that exists and that no answer of ours covers. */
export const factsStatements: Oas3Rule = () => {
  const { facts, source } = readFacts()
  const folder = dirname(source.absoluteRef)
  return {
    Root: {
      leave(_root, ctx) {
        facts.statements.forEach(({ says, at }, index) => {
          const lack = lackOf(folder, at)
          if (!lack) return
          const location = { source, pointer: `#/statements/${index}/at` }
          ctx.report({
            message: `"${says}" must point at a fact of the contract; "${at}" ${lack}.`,
            location,
          })
        })
      },
    },
  }
}

function lackOf(folder: string, at: string): string | undefined {
  const [name = '', pointer = ''] = at.split('#')
  const file = join(folder, name)
  if (!existsSync(file)) return 'names no file'
  let node = readYaml<unknown>(file).value
  for (const step of pointer.split('/').slice(1).map(unescapePointerFragment)) {
    node = (node as Readonly<Record<string, unknown>> | undefined)?.[step]
    if (isNode(node) && isOurs(node)) return 'is our answer'
  }
  return node === undefined ? 'is no place' : undefined
}
