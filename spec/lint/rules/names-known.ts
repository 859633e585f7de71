import { isNode, type Node } from '../marks.ts'
import {
  ALIAS_OF,
  followReferences,
  listEntries,
  listOperations,
  type Operation,
  pointerBelow,
} from '../operations.ts'
import type { Fault, Rule } from '../rule.ts'
import { didYouMean } from '../suggest.ts'

const EFFECTS = ['read', 'idempotent', 'once']

/**
 * Reports tags, security schemes, effects and path parameters of operations that are declared
 * nowhere. A misspelt tag, for example, would remove a method of the client.
 */
export const namesKnown: Rule = function* ({ contract, root, other, facts }) {
  const tags = tagNames(contract)
  const schemes = Object.keys(componentsOfKind(contract, 'securitySchemes'))
  for (const operation of [...listOperations(contract), ...listOperations(contract, 'webhooks')]) {
    yield* unknownTags(operation, tags)
    yield* unknownSchemes(operation, schemes)
    yield* unknownEffect(operation)
  }
  for (const operation of listOperations(contract)) yield* pathFaults(contract, operation)

  if (root !== 'guide') return
  // The rule operation-list reports an operation of the document that the contract lacks.
  const ids = [...listOperations(other).map(({ id }) => id), ...Object.keys(facts.value.operations)]
  for (const shortPath of listOperations(contract)) yield* aliasFaults(shortPath, ids)
}

/**
 * Reports a short path (another address of an operation, such as `/pix/out`) that does not say by
 * `x-alias-of` which operation it shortens, or that names none of those that exist (`ids`).
 */
function* aliasFaults({ operation, at }: Operation, ids: readonly string[]): Iterable<Fault> {
  const id = operation[ALIAS_OF]
  if (id === undefined) {
    const message = `A short path must have "${ALIAS_OF}"; name the operation that it shortens.`
    yield { message, at: pointerBelow(at, 'operationId') }
    return
  }

  if (ids.includes(String(id))) return
  const next = didYouMean(String(id), ids, '; name the operation that it shortens.')
  const message = `"${ALIAS_OF}" must name an operation, got "${id}"${next}`
  yield { message, at: pointerBelow(at, ALIAS_OF) }
}

function tagNames({ tags }: Node): string[] {
  if (!Array.isArray(tags)) return []
  return tags.filter(isNode).map(({ name }) => String(name))
}

function componentsOfKind({ components }: Node, kind: string): Node {
  const ofKind = isNode(components) ? components[kind] : undefined
  return isNode(ofKind) ? ofKind : {}
}

/** Reports tags of an operation that the contract does not declare. */
function* unknownTags({ operation, at }: Operation, tags: readonly string[]): Iterable<Fault> {
  if (!Array.isArray(operation.tags)) return
  for (const [index, tag] of operation.tags.entries()) {
    if (tags.includes(tag)) continue
    const next = didYouMean(String(tag), tags, '; add it to "tags" of openapi.yaml.')
    yield {
      message: `The contract has no tag "${tag}"${next}`,
      at: pointerBelow(at, 'tags', index),
    }
  }
}

/** Reports security schemes of an operation that the contract does not declare. */
function* unknownSchemes(
  { operation, at }: Operation,
  schemes: readonly string[],
): Iterable<Fault> {
  if (!Array.isArray(operation.security)) return
  for (const [index, requirement] of operation.security.entries()) {
    for (const [name] of listEntries(requirement)) {
      if (schemes.includes(name)) continue
      const next = didYouMean(name, schemes, '; add it to "securitySchemes" of openapi.yaml.')
      yield {
        message: `The contract has no security scheme "${name}"${next}`,
        at: pointerBelow(at, 'security', index, name),
      }
    }
  }
}

/** Reports an effect that is none of the three that exist: `read`, `idempotent` and `once`. */
function* unknownEffect({ operation, at }: Operation): Iterable<Fault> {
  const effect = operation['x-effect']
  if (effect === undefined || EFFECTS.includes(String(effect))) return
  const next = didYouMean(String(effect), EFFECTS, `; it is one of ${EFFECTS.join(', ')}.`)
  yield { message: `"${effect}" is not an effect${next}`, at: pointerBelow(at, 'x-effect') }
}

/**
 * Reports parameters in braces of a path that the operation does not declare, and declared path
 * parameters that the path does not have.
 */
function* pathFaults(
  contract: Node,
  { id, template, path, operation, at }: Operation,
): Iterable<Fault> {
  const namesInBraces = Array.from(template.matchAll(/\{([^}]*)\}/g), ([, name]) => String(name))
  const declared = [
    ...pathParameters(contract, path.parameters, at),
    ...pathParameters(contract, operation.parameters, pointerBelow(at, 'parameters')),
  ]
  const declaredNames = declared.map(({ name }) => name)
  const undeclared = namesInBraces.filter((name) => !declaredNames.includes(name))
  const unknown = declared.filter(({ name }) => !namesInBraces.includes(name))
  for (const { name, place } of unknown) {
    const next = didYouMean(name, undeclared, '; remove it, or write it into the path.')
    yield { message: `The path ${template} has no parameter "${name}"${next}`, at: place }
  }

  // If a name is misspelt, the parameter that it means seems to be undeclared.
  if (unknown.length > 0) return
  for (const name of undeclared)
    yield { message: `${id} must declare the parameter "${name}" of its path; add it.`, at }
}

/** The path parameters in a list of parameters, with the pointers of their names. */
function pathParameters(contract: Node, parameters: unknown, at: string) {
  if (!Array.isArray(parameters)) return []
  const declared: { readonly name: string; readonly place: string }[] = []
  for (const [index, parameter] of parameters.entries()) {
    const target = followReferences(contract, parameter, pointerBelow(at, index))
    const { in: location, name } = target.node
    if (location !== 'path') continue
    declared.push({ name: String(name), place: pointerBelow(target.at, 'name') })
  }
  return declared
}
