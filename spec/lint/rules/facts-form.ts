import { type FactOperation, type Facts, fieldName } from '../facts.ts'
import { isNode } from '../marks.ts'
import { below, entriesOf } from '../operations.ts'
import type { Fault, Rule } from '../rule.ts'
import { didYouMean } from '../suggest.ts'

const SECTIONS = ['values', 'responses', 'requests', 'operations', 'guide', 'accepts', 'statements']

const OPERATION_FIELDS = [
  'call',
  'alias-of',
  'security',
  'query',
  'path',
  'body',
  'status',
  'response',
]

const STATEMENT_FIELDS = ['id', 'section', 'says', 'at']

/** Responses without an object. */
const WITHOUT_BODY = ['nothing', 'not shown']

type Found = Omit<Fault, 'file'>

/** The sections and fields of facts.yaml exist, refer to what exists, and are used once. */
export const factsForm: Rule = function* ({ facts: { value, file } }) {
  for (const fault of faultsOf(value)) yield { ...fault, file }
}

function* faultsOf(facts: Facts): Iterable<Found> {
  yield* unknownNames(facts, SECTIONS, '', 'a section of facts.yaml')
  yield* objectFaults(facts, 'responses', '?')
  yield* objectFaults(facts, 'requests', '!')
  yield* operationFaults(facts, 'operations')
  yield* operationFaults(facts, 'guide')
  yield* repeatedCalls(facts)
  yield* statementFaults(facts)
  yield* acceptFaults(facts)
  yield* sharedNames(facts)
  yield* unusedNames(facts)
}

function* unknownNames(
  value: object,
  names: readonly string[],
  at: string,
  kind: string,
): Iterable<Found> {
  for (const name of Object.keys(value)) {
    if (names.includes(name)) continue
    const next = didYouMean(name, names, `; it is one of ${names.join(', ')}.`)
    yield { message: `"${name}" is not ${kind}${next}`, at: below(at, name) }
  }
}

/** Each field has a type that exists, and each name once. */
function* objectFaults(
  facts: Facts,
  section: 'responses' | 'requests',
  suffix: string,
): Iterable<Found> {
  const types = [...Object.keys(facts.values), ...Object.keys(facts[section])]
  for (const [object, fields] of Object.entries(facts[section])) {
    const names = new Set<string>()
    for (const [name, type] of Object.entries(fields)) {
      const at = below('', section, object, name)
      const bareName = fieldName(name)
      const isWellNamed = name === bareName || name === `${bareName}${suffix}`
      if (!isWellNamed)
        yield { message: `A field of ${section} ends with "${suffix}" or nothing; rename it.`, at }
      if (names.has(bareName))
        yield { message: `${object} has the field "${bareName}" twice; remove one of them.`, at }
      names.add(bareName)

      const typeName = typeof type === 'string' ? type : type[0]
      if (types.includes(typeName)) continue
      const next = didYouMean(typeName, types, '; add it to "values".')
      yield { message: `facts.yaml has no type "${typeName}" for ${section}${next}`, at }
    }
  }
}

function* operationFaults(facts: Facts, section: 'operations' | 'guide'): Iterable<Found> {
  for (const [id, operation] of Object.entries(facts[section])) {
    const at = below('', section, id)
    yield* unknownNames(operation, OPERATION_FIELDS, at, 'a field of an operation')

    const isCall = /^(GET|PUT|POST|DELETE|PATCH) \/\S*$/.test(operation.call ?? '')
    if (!isCall) yield { message: '"call" must be a method and a path; write both.', at }

    for (const { name, place, names } of referencesOf(facts, operation)) {
      if (names.includes(name)) continue
      const next = didYouMean(name, names, '; add it.')
      yield { message: `facts.yaml has no ${place} "${name}"${next}`, at: below(at, place) }
    }
    for (const list of ['query', 'path', 'body'] as const)
      for (const name of repeatedIn(operation[list] ?? []))
        yield { message: `"${list}" has "${name}" twice; remove one.`, at: below(at, list) }
  }
}

function referencesOf(facts: Facts, operation: FactOperation) {
  const { body = [], response } = operation
  const aliasOf = operation['alias-of']
  const requests = Object.keys(facts.requests)
  const references = body.map((name) => ({ name, place: 'body', names: requests }))

  const responses = [...WITHOUT_BODY, ...Object.keys(facts.responses)]
  if (response) references.push({ name: response, place: 'response', names: responses })
  const operations = Object.keys(facts.operations)
  if (aliasOf) references.push({ name: aliasOf, place: 'alias-of', names: operations })
  return references
}

function* repeatedCalls({ operations, guide }: Facts): Iterable<Found> {
  const first = new Map<string, string>()
  for (const [section, list] of Object.entries({ operations, guide })) {
    for (const [id, { call }] of Object.entries(list)) {
      const other = first.get(call)
      const message = `${other} has the same call; correct one of them.`
      if (other) yield { message, at: below('', section, id, 'call') }
      else first.set(call, id)
    }
  }
}

function* statementFaults({ statements }: Facts): Iterable<Found> {
  const ids = new Set<string>()
  for (const [index, statement] of statements.entries()) {
    const at = below('/statements', index)
    yield* unknownNames(statement, STATEMENT_FIELDS, at, 'a field of a statement')
    for (const field of STATEMENT_FIELDS)
      if (!(field in statement)) yield { message: `The statement lacks "${field}"; add it.`, at }

    const { id } = statement
    if (ids.has(id)) yield { message: `Two statements have the id "${id}"; rename one.`, at }
    ids.add(id)
  }
}

function* acceptFaults(facts: Facts): Iterable<Found> {
  const ids = Object.keys(facts.operations)
  for (const [id, places] of Object.entries(facts.accepts)) {
    const at = below('/accepts', id)
    const operation = facts.operations[id]
    if (!operation) {
      const next = didYouMean(id, ids, '; correct it.')
      yield { message: `facts.yaml has no operation "${id}"${next}`, at }
      continue
    }
    for (const pointer of Object.keys(places))
      if (!hasField(facts, operation.response, pointer))
        yield {
          message: `The response of ${id} has no field ${pointer} in facts.yaml; correct it.`,
          at: below(at, pointer),
        }
  }
}

/** Whether a pointer leads through the fields of the objects. */
function hasField(facts: Facts, object: string | undefined, pointer: string): boolean {
  let fields = facts.responses[object ?? '']
  for (const step of pointer.split('/').slice(1)) {
    if (/^\d+$/.test(step)) continue
    const type = fields?.[step] ?? fields?.[`${step}?`]
    if (type === undefined) return false
    fields = facts.responses[[type].flat()[0] ?? '']
  }
  return true
}

/** One name means one object. */
function* sharedNames({ values, responses, requests }: Facts): Iterable<Found> {
  const first = new Map<string, string>()
  for (const [section, objects] of Object.entries({ values, responses, requests })) {
    for (const name of Object.keys(objects)) {
      const other = first.get(name)
      const message = `"${name}" is also one of the ${other}; rename one of them.`
      if (other) yield { message, at: below('', section, name) }
      else first.set(name, section)
    }
  }
}

/** Values and objects to which no operation leads. */
function* unusedNames(facts: Facts): Iterable<Found> {
  // The schema of parameters.
  const used = new Set(['string'])
  for (const { body = [], response = '' } of [
    ...Object.values(facts.operations),
    ...Object.values(facts.guide),
  ]) {
    for (const name of [...body, response]) markUsed(facts, name, used)
  }

  for (const section of ['values', 'responses', 'requests'] as const) {
    for (const [name] of entriesOf(facts[section])) {
      if (used.has(name)) continue
      const message = `Nothing of facts.yaml refers to "${name}"; refer to it, or remove it.`
      yield { message, at: below('', section, name) }
    }
  }
}

function markUsed(facts: Facts, name: string, used: Set<string>): void {
  if (used.has(name)) return
  used.add(name)
  const fields = facts.responses[name] ?? facts.requests[name]
  if (!isNode(fields)) return
  for (const type of Object.values(fields)) markUsed(facts, [type].flat()[0] ?? '', used)
}

function repeatedIn(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index)
}
