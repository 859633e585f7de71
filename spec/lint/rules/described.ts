import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { valueAt } from '@partner-payments/text'
import type { Oas3Rule, UserContext } from '@redocly/openapi-core'
import { merged, readBehaviour } from '../behaviour/read.ts'
import { ENUM_DESCRIPTIONS, ENUM_FROM, isNode, meaningOf, type Node, sentencesOf } from '../marks.ts'
import { readYaml } from '../read-yaml.ts'

type Location = UserContext['location']

/** Every operation, parameter, header, property and enum value must have a description. */
export const described: Oas3Rule = () => {
  let behaviour: Node = {}

  function expectDescription(node: unknown, at: Location, what: string, ctx: UserContext) {
    if (!isDescribed(node, at.source.absoluteRef))
      ctx.report({ message: `${what} must have a description.`, location: at })
  }

  return {
    Root: {
      enter(_root, ctx) {
        behaviour = merged(readBehaviour(dirname(ctx.location.source.absoluteRef)))
      },
    },
    Operation: (node, ctx) => expectDescription(node, ctx.location, `Operation ${node.operationId}`, ctx),
    Parameter: (node, ctx) => expectDescription(node, ctx.location, `Parameter ${node.name}`, ctx),
    Header: (node, ctx) => expectDescription(node, ctx.location, 'A header', ctx),
    Schema(schema, ctx) {
      for (const [name, property] of Object.entries(schema.properties ?? {})) {
        const at = ctx.location.child(['properties', name])
        expectDescription(property, at, `Property ${name}`, ctx)
      }
      for (const message of enumErrors(schema as Node, behaviour))
        ctx.report({ message, location: ctx.location.child(['enum']) })
    },
  }
}

/** Whether the node, or a schema that it refers to, has a description. */
function isDescribed(node: unknown, file: string): boolean {
  if (!isNode(node)) return false
  const { stated, assumed } = sentencesOf(node)
  if (stated.length + assumed.length > 0) return true
  if (typeof node.$ref !== 'string') return false
  // Follows one reference at a time: the linter skips siblings of a reference within a chain.
  const [name = '', pointer = ''] = node.$ref.split('#')
  const target = name ? join(dirname(file), name) : file
  return existsSync(target) && isDescribed(valueAt(readYaml(target).value, pointer), target)
}

function enumErrors(schema: Node, behaviour: Node): string[] {
  if (!Array.isArray(schema.enum)) return []
  const values = schema.enum.map(String)
  const meanings = meaningsOf(schema, behaviour)
  const stray = Object.keys(schema[ENUM_FROM] ? {} : meanings).filter((value) => !values.includes(value))
  return [
    ...values.filter((value) => !meanings[value]).map((value) => `Value "${value}" must have a description.`),
    ...stray.map((value) => `"${ENUM_DESCRIPTIONS}" describes "${value}", which is not a value of the enum.`),
  ]
}

function meaningsOf(schema: Node, behaviour: Node): Node {
  const from = schema[ENUM_FROM]
  const meanings = typeof from === 'string' ? valueAt(behaviour, from) : schema[ENUM_DESCRIPTIONS]
  if (!isNode(meanings)) return {}
  if (typeof from !== 'string') return meanings
  return Object.fromEntries(Object.entries(meanings).map(([value, entry]) => [value, meaningOf(entry)]))
}
