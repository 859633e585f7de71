import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Oas3Rule, unescapePointerFragment } from '@redocly/openapi-core'
import { parse } from 'yaml'
import { readFacts } from '../facts.ts'

/** Every statement of facts.yaml points at a place that exists. */
export const factsStatements: Oas3Rule = () => {
  const { facts, source } = readFacts()
  const folder = dirname(source.absoluteRef)
  return {
    Root: {
      leave(_root, ctx) {
        facts.statements.forEach(({ says, at }, index) => {
          if (placeAt(folder, at) !== undefined) return
          const location = { source, pointer: `#/statements/${index}/at` }
          ctx.report({ message: `"${says}" must point at a place of the contract, got "${at}".`, location })
        })
      },
    },
  }
}

function placeAt(folder: string, at: string): unknown {
  const [name = '', pointer = ''] = at.split('#')
  const file = join(folder, name)
  if (!existsSync(file)) return undefined
  const steps = pointer.split('/').slice(1).map(unescapePointerFragment)
  return steps.reduce((node, step) => node?.[step], parse(readFileSync(file, 'utf8')))
}
