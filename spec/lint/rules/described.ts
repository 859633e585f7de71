import { ENUM_DESCRIPTIONS, isNode, meaningsOf, type Node, sentencesOf } from '../marks.ts'
import { below, chainOf, entriesOf, reached } from '../operations.ts'
import type { Fault, Rule } from '../rule.ts'

/** Every operation, parameter, header, property and enum value must have a description. */
export const described: Rule = function* ({ contract, behaviour }) {
  for (const { node, at } of reached(contract, contract, '')) {
    const isOperation = 'operationId' in node && 'responses' in node
    if (isOperation) yield* lackOf(contract, node, at, `Operation ${node.operationId}`)

    const isParameter = 'in' in node && 'schema' in node
    if (isParameter) yield* lackOf(contract, node, at, `Parameter ${node.name}`)

    for (const [name, header] of entriesOf(node.headers)) {
      // Components are visited by themselves.
      const isOwn = isNode(header) && !('$ref' in header)
      if (isOwn) yield* lackOf(contract, header, below(at, 'headers', name), 'A header')
    }

    for (const [name, property] of entriesOf(node.properties))
      yield* lackOf(contract, property, below(at, 'properties', name), `Property ${name}`)

    for (const message of enumErrors(node, behaviour.entries))
      yield { message, at: below(at, 'enum') }
  }
}

/** The fault of a node without a description, its own or that of what it refers to. */
function* lackOf(contract: Node, node: unknown, at: string, subject: string): Iterable<Fault> {
  const sentences = [...chainOf(contract, node)].map((part) => sentencesOf(part))
  const isDescribed = sentences.some(({ stated, assumed }) => stated.length + assumed.length > 0)
  if (!isDescribed) yield { message: `${subject} must have a description.`, at }
}

function enumErrors(schema: Node, behaviour: Node): string[] {
  if (!Array.isArray(schema.enum)) return []
  const values = schema.enum.map(String)
  const meanings = meaningsOf(schema, behaviour)
  const errors: string[] = []
  for (const value of values)
    if (!meanings[value]) errors.push(`Value "${value}" must have a description.`)
  for (const value of Object.keys(meanings))
    if (!values.includes(value))
      errors.push(`"${ENUM_DESCRIPTIONS}" describes "${value}", which is not a value of the enum.`)
  return errors
}
