import { valueAt } from '@partner-payments/text'
import { merged } from '../behaviour/read.ts'
import { ENUM_DESCRIPTIONS, ENUM_FROM, isNode, meaningOf, type Node, sentencesOf } from '../marks.ts'
import { below, entriesOf } from '../operations.ts'
import type { Fault, Rule } from '../rule.ts'

/** Keywords whose children are data. */
const DATA = new Set(['example', 'examples', 'default', 'const', 'enum', 'links', 'servers'])

/** Every operation, parameter, header, property and enum value must have a description. */
export const described: Rule = ({ contract, behaviour: entries }) => {
  const behaviour = merged(entries)
  const faults: Fault[] = []
  visit(contract, '')
  return faults

  function visit(value: unknown, at: string): void {
    if (!isNode(value) && !Array.isArray(value)) return
    if (isNode(value)) {
      if ('operationId' in value) expectDescription(value, at, `Operation ${value.operationId}`)
      if ('in' in value && 'name' in value) expectDescription(value, at, `Parameter ${value.name}`)
      // Components are visited by themselves.
      for (const [name, it] of entriesOf(value.headers))
        if (isNode(it) && !('$ref' in it)) expectDescription(it, below(at, 'headers', name), 'A header')
      for (const [name, it] of entriesOf(value.properties))
        expectDescription(it, below(at, 'properties', name), `Property ${name}`)
      for (const message of enumErrors(value, behaviour)) faults.push({ message, at: below(at, 'enum') })
    }
    for (const [name, child] of Object.entries(value)) {
      if (name === 'properties')
        for (const [property, it] of entriesOf(child)) visit(it, below(at, name, property))
      else if (!DATA.has(name) && !name.startsWith('x-')) visit(child, below(at, name))
    }
  }

  function expectDescription(node: unknown, at: string, what: string): void {
    if (!isDescribed(contract, node)) faults.push({ message: `${what} must have a description.`, at })
  }
}

/** Whether the node, or a schema that it refers to, has a description. */
function isDescribed(contract: Node, node: unknown): boolean {
  if (!isNode(node)) return false
  const { stated, assumed } = sentencesOf(node)
  if (stated.length + assumed.length > 0) return true
  return typeof node.$ref === 'string' && isDescribed(contract, valueAt(contract, node.$ref))
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
