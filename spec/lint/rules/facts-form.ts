import { stepsOf } from '@partner-payments/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type FactOperation, type Facts, fieldName } from '../facts.ts'
import { formFaults } from '../form.ts'
import { pointerBelow } from '../operations.ts'
import type { Fault, Rule } from '../rule.ts'
import { didYouMean } from '../suggest.ts'

const TEXT = { type: 'string' }
const TEXTS = { type: 'array', minItems: 1, uniqueItems: true, items: TEXT }

/** A type, or the type of the items of an array. */
const TYPE = { anyOf: [TEXT, { type: 'array', minItems: 1, maxItems: 1, items: TEXT }] }

/** An object of fields. */
const OBJECTS = {
  type: 'object',
  additionalProperties: { type: 'object', minProperties: 1, additionalProperties: TYPE },
}

const OPERATIONS = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    required: ['call'],
    additionalProperties: false,
    properties: {
      call: { type: 'string', pattern: '^(GET|PUT|POST|DELETE|PATCH) /\\S*$' },
      'alias-of': TEXT,
      security: TEXT,
      query: TEXTS,
      path: TEXTS,
      body: TEXTS,
      status: { type: 'integer' },
      response: TEXT,
    },
  },
}

const STATEMENT = {
  type: 'object',
  required: ['id', 'section', 'says', 'at'],
  additionalProperties: false,
  properties: { id: TEXT, section: TEXT, says: TEXT, at: TEXT },
}

/** The form of facts.yaml (JSON Schema 2020-12). */
const FORM = {
  type: 'object',
  required: ['values', 'responses', 'requests', 'operations', 'guide', 'accepts', 'statements'],
  additionalProperties: false,
  properties: {
    values: { type: 'object', additionalProperties: { type: 'object' } },
    responses: OBJECTS,
    requests: OBJECTS,
    operations: OPERATIONS,
    guide: OPERATIONS,
    accepts: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: { type: 'array', minItems: 1, uniqueItems: true },
      },
    },
    statements: { type: 'array', items: STATEMENT },
  },
}

const hasForm = new Ajv2020({ strict: false, allErrors: true, verbose: true }).compile(FORM)

/** Responses without an object. */
const WITHOUT_BODY = ['nothing', 'not shown']

/** A fault of facts.yaml. */
type FactsFault = Omit<Fault, 'file'>

/** The sections and fields of facts.yaml exist, refer to what exists, and are used once. */
export const factsForm: Rule = function* ({ facts: { value, file } }) {
  if (!hasForm(value)) {
    for (const fault of formFaults(hasForm.errors ?? [])) yield { ...fault, file }
    return
  }
  for (const fault of findFaults(value)) yield { ...fault, file }
}

/**
 * The faults of facts.yaml, once it has its form: names that do not exist, or else all others. A
 * misspelt name would also leave the one that it means unused.
 */
function findFaults(facts: Facts): readonly FactsFault[] {
  const unknown = [...unknownNames(facts)]
  return unknown.length > 0 ? unknown : [...otherFaults(facts)]
}

/** Reports names of types, bodies and operations that facts.yaml refers to and does not have. */
function* unknownNames(facts: Facts): Iterable<FactsFault> {
  yield* objectFaults(facts, 'responses', '?')
  yield* objectFaults(facts, 'requests', '!')
  yield* operationFaults(facts, 'operations')
  yield* operationFaults(facts, 'guide')
}

/**
 * The faults of facts.yaml that only show once all names exist: repeated and unused names, objects
 * that contain themselves, and accepted values of fields that do not exist.
 */
function* otherFaults(facts: Facts): Iterable<FactsFault> {
  yield* repeatedCalls(facts)
  yield* statementFaults(facts)
  yield* acceptFaults(facts)
  yield* sharedNames(facts)
  yield* unusedNames(facts)
  yield* endlessObjects(facts)
}

/**
 * Reports fields of objects whose type does not exist, whose name comes twice, or whose name ends
 * wrongly.
 *
 * @param suffix What the name of a field may end with: `?` in a response, `!` in a request.
 */
function* objectFaults(
  facts: Facts,
  section: 'responses' | 'requests',
  suffix: string,
): Iterable<FactsFault> {
  const types = [...Object.keys(facts.values), ...Object.keys(facts[section])]
  for (const [object, fields] of Object.entries(facts[section])) {
    yield* fieldNameFaults(object, Object.keys(fields), section, suffix)

    for (const [field, type] of Object.entries(fields)) {
      const nameOfType = typeName(type)
      if (types.includes(nameOfType)) continue
      const next = didYouMean(nameOfType, types, '; add it to "values".')
      const message = `facts.yaml has no type "${nameOfType}" for ${section}${next}`
      yield { message, at: pointerBelow('', section, object, field) }
    }
  }
}

/**
 * Reports names of fields of an object that end wrongly, or come twice. Only a field of a response
 * may end with `?` (it may be absent), and only one of a request with `!` (it is required).
 */
function* fieldNameFaults(
  object: string,
  names: readonly string[],
  section: string,
  suffix: string,
): Iterable<FactsFault> {
  const bareNames = new Set<string>()
  for (const name of names) {
    const at = pointerBelow('', section, object, name)
    const bareName = fieldName(name)
    const isWellNamed = name === bareName || name === `${bareName}${suffix}`
    if (!isWellNamed)
      yield { message: `A field of ${section} ends with "${suffix}" or nothing; rename it.`, at }
    if (bareNames.has(bareName))
      yield { message: `${object} has the field "${bareName}" twice; remove one of them.`, at }
    bareNames.add(bareName)
  }
}

/**
 * Reports objects that contain themselves: the document shows none, and their schema would have no
 * end.
 */
function* endlessObjects(facts: Facts): Iterable<FactsFault> {
  for (const section of ['responses', 'requests'] as const) {
    for (const [object, fields] of Object.entries(facts[section])) {
      for (const [field, type] of Object.entries(fields)) {
        const reachedTypes = new Set<string>()
        addReachedTypes(facts, typeName(type), reachedTypes)
        const isEndless = reachedTypes.has(object)
        if (!isEndless) continue
        const message = `The field "${field}" leads back to ${object}; correct its type.`
        yield { message, at: pointerBelow('', section, object, field) }
      }
    }
  }
}

/**
 * Reports operations whose `body`, `response` or `alias-of` names an object or an operation that
 * facts.yaml does not have.
 */
function* operationFaults(facts: Facts, section: 'operations' | 'guide'): Iterable<FactsFault> {
  for (const [id, operation] of Object.entries(facts[section])) {
    const at = pointerBelow('', section, id)
    for (const { key, name, existingNames } of listReferences(facts, operation)) {
      if (existingNames.includes(name)) continue
      const next = didYouMean(name, existingNames, '; add it.')
      yield { message: `facts.yaml has no ${key} "${name}"${next}`, at: pointerBelow(at, key) }
    }
  }
}

/** A name that an operation has at a key, and the names that it can have there. */
interface NameReference {
  readonly key: keyof FactOperation
  readonly name: string
  readonly existingNames: readonly string[]
}

/**
 * The names to which an operation of facts.yaml refers, each with those that exist: in
 * `{ body: ['CheckKeyRequest'], response: 'KeyCheck' }`, an object of `requests` and one of
 * `responses`.
 */
function listReferences(facts: Facts, operation: FactOperation): NameReference[] {
  const { body = [], response, 'alias-of': aliasOf } = operation
  const references: NameReference[] = []

  const requests = Object.keys(facts.requests)
  for (const name of body) references.push({ key: 'body', name, existingNames: requests })

  const responses = [...WITHOUT_BODY, ...Object.keys(facts.responses)]
  if (response) references.push({ key: 'response', name: response, existingNames: responses })

  const operations = Object.keys(facts.operations)
  if (aliasOf) references.push({ key: 'alias-of', name: aliasOf, existingNames: operations })

  return references
}

/** Reports operations with the method and path (`call`) of an earlier one. */
function* repeatedCalls({ operations, guide }: Facts): Iterable<FactsFault> {
  const firstIds = new Map<string, string>()
  for (const [section, list] of Object.entries({ operations, guide })) {
    for (const [id, { call }] of Object.entries(list)) {
      const firstId = firstIds.get(call)
      if (firstId === undefined) {
        firstIds.set(call, id)
        continue
      }
      const message = `${firstId} has the same call; correct one of them.`
      yield { message, at: pointerBelow('', section, id, 'call') }
    }
  }
}

/** Reports statements that have the id of an earlier one. */
function* statementFaults({ statements }: Facts): Iterable<FactsFault> {
  const ids = new Set<string>()
  for (const [index, statement] of statements.entries()) {
    const at = pointerBelow('/statements', index)
    const { id } = statement
    if (ids.has(id)) yield { message: `Two statements have the id "${id}"; rename one.`, at }
    ids.add(id)
  }
}

/**
 * Reports values in `accepts` of an operation or a field that facts.yaml does not have. It lists
 * values that the document shows: `{ checkCode: { '/qrcode_type': ['Static'] } }`.
 */
function* acceptFaults(facts: Facts): Iterable<FactsFault> {
  for (const [id, valuesByPointer] of Object.entries(facts.accepts)) {
    const at = pointerBelow('/accepts', id)
    const operation = facts.operations[id]
    if (!operation) {
      const next = didYouMean(id, Object.keys(facts.operations), '; correct it.')
      yield { message: `facts.yaml has no operation "${id}"${next}`, at }
      continue
    }

    for (const pointer of Object.keys(valuesByPointer)) {
      if (hasField(facts, operation.response ?? '', pointer)) continue
      const message = `The response of ${id} has no field ${pointer} in facts.yaml; correct it.`
      yield { message, at: pointerBelow(at, pointer) }
    }
  }
}

/**
 * Whether an object of `responses` has the field at a pointer, such as `/users/0/status` of
 * `PartnerUsers`: follows the types of the fields, step by step.
 */
function hasField(facts: Facts, responseName: string, pointer: string): boolean {
  let typeOfParent = responseName
  for (const step of stepsOf(pointer)) {
    // The type of a list is that of its items.
    const isIndex = /^\d+$/.test(step)
    if (isIndex) continue

    const fields = facts.responses[typeOfParent] ?? {}
    const type = fields[step] ?? fields[`${step}?`]
    if (type === undefined) return false
    typeOfParent = typeName(type)
  }
  return true
}

/** The name of a type, or of that of the items of an array. */
function typeName(type: string | readonly [string]): string {
  return typeof type === 'string' ? type : type[0]
}

/** Reports names that two sections of facts.yaml have: a type is found by its name alone. */
function* sharedNames({ values, responses, requests }: Facts): Iterable<FactsFault> {
  const firstSections = new Map<string, string>()
  for (const [section, objects] of Object.entries({ values, responses, requests })) {
    for (const name of Object.keys(objects)) {
      const firstSection = firstSections.get(name)
      if (firstSection === undefined) {
        firstSections.set(name, section)
        continue
      }
      const message = `"${name}" is also one of the ${firstSection}; rename one of them.`
      yield { message, at: pointerBelow('', section, name) }
    }
  }
}

/**
 * Reports values and objects of facts.yaml that no operation uses, directly or in another object.
 */
function* unusedNames(facts: Facts): Iterable<FactsFault> {
  const used = listUsedTypes(facts)
  for (const section of ['values', 'responses', 'requests'] as const) {
    for (const name of Object.keys(facts[section])) {
      if (used.has(name)) continue
      const message = `Nothing of facts.yaml refers to "${name}"; refer to it, or remove it.`
      yield { message, at: pointerBelow('', section, name) }
    }
  }
}

/**
 * The names of all types that operations use: those of their bodies and responses, and those of the
 * fields in them.
 */
function listUsedTypes(facts: Facts): Set<string> {
  // Parameters are strings, so this type is used without being named.
  const used = new Set(['string'])
  const operations = [...Object.values(facts.operations), ...Object.values(facts.guide)]
  for (const { body = [], response } of operations) {
    for (const name of body) addReachedTypes(facts, name, used)
    if (response) addReachedTypes(facts, response, used)
  }
  return used
}

/** Adds a type, and all types to which its fields lead. */
function addReachedTypes(facts: Facts, name: string, reached: Set<string>): void {
  if (reached.has(name)) return
  reached.add(name)
  const fields = facts.responses[name] ?? facts.requests[name] ?? {}
  for (const type of Object.values(fields)) addReachedTypes(facts, typeName(type), reached)
}
