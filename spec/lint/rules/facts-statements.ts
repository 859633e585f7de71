import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Oas3Rule, unescapePointerFragment } from '@redocly/openapi-core'
import { readFacts } from '../facts.ts'
import { isNode, marksOf } from '../marks.ts'
import { readYaml } from '../read-yaml.ts'

/** Every statement of facts.yaml must refer to an existing location that is not an assumption. */
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
            message: `"${says}" must refer to a fact of the contract; "${at}" ${lack}.`,
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
  if (!existsSync(file)) return 'is not a file'
  let node = readOrNothing(file)
  for (const step of pointer.split('/').slice(1).map(unescapePointerFragment)) {
    const marks = isNode(node) ? marksOf(node) : []
    if (marks.some(({ keyword }) => keyword === undefined || keyword === step)) return 'is an assumption'
    node = (node as Readonly<Record<string, unknown>> | undefined)?.[step]
  }
  return node === undefined ? 'does not exist' : undefined
}

/** The linter itself reports invalid YAML with its line. */
function readOrNothing(file: string): unknown {
  try {
    return readYaml<unknown>(file).value
  } catch {
    return undefined
  }
}
