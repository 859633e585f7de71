import { ENUM_DESCRIPTIONS, isNode, meaningsOf, type Node, sentencesOf } from '../marks.ts'
import { below, chainOf, entriesOf, reached } from '../operations.ts'
import type { Fault, Rule } from '../rule.ts'

/** Every operation, parameter, header, property and enum value must have a description. */
export const described: Rule = function* ({ contract, behaviour: { entries } }) {
  for (const { node, at } of reached(contract, contract, '')) {
    if ('operationId' in node && 'responses' in node)
      yield* check(node, at, `Operation ${node.operationId}`)
    if ('in' in node && 'schema' in node) yield* check(node, at, `Parameter ${node.name}`)
    // Components are visited by themselves.
    for (const [name, it] of entriesOf(node.headers))
      if (isNode(it) && !('$ref' in it)) yield* check(it, below(at, 'headers', name), 'A header')
    for (const [name, it] of entriesOf(node.properties))
      yield* check(it, below(at, 'properties', name), `Property ${name}`)
    for (const message of enumErrors(node, entries)) yield { message, at: below(at, 'enum') }
  }

  function* check(node: unknown, at: string, what: string): Iterable<Fault> {
    const sentences = [...chainOf(contract, node)].map(sentencesOf)
    if (sentences.every(({ stated, assumed }) => stated.length + assumed.length === 0))
      yield { message: `${what} must have a description.`, at }
  }
}

function enumErrors(schema: Node, behaviour: Node): string[] {
  if (!Array.isArray(schema.enum)) return []
  const values = schema.enum.map(String)
  const meanings = meaningsOf(schema, behaviour)
  const stray = Object.keys(meanings).filter((value) => !values.includes(value))
  return [
    ...values
      .filter((value) => !meanings[value])
      .map((value) => `Value "${value}" must have a description.`),
    ...stray.map(
      (value) => `"${ENUM_DESCRIPTIONS}" describes "${value}", which is not a value of the enum.`,
    ),
  ]
}
