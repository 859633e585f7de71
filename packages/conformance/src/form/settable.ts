import { schemasAt } from '@partner-payments/contract'
import { behaviour } from '../contract/behaviour.ts'
import type { Contract, Operation } from '../contract/contract.ts'
import { fieldsOf, listItems } from '../contract/json.ts'
import { declaredKinds } from '../contract/kinds.ts'
import { FIRST_WORDS, type GivenForm, GivenFormError, isOfForm, LINK_HEADER } from './given-form.ts'

type Operations = Contract['operations']

/**
 * Requires that each value of `--set` can have an effect: what it names is in the contract, and it can have this
 * value. A misspelt one would silently do nothing.
 *
 * @throws {GivenFormError} with the first one that can have none, and what can be set instead
 */
export function requireEffect(values: GivenForm, { operations }: Contract): void {
  for (const [firstWord, valuesByPointer] of Object.entries(values)) {
    for (const [pointer, value] of Object.entries(valuesByPointer)) {
      if (isOfForm(firstWord)) requireForm({ firstWord, pointer, value: String(value) }, operations)
      else requireRequestValue(firstWord, pointer, operations)
    }
  }
}

/** A value that says how the service writes something: of `list/next=/cursor`, `list`, `/next` and `/cursor`. */
interface FormValue {
  readonly firstWord: string
  readonly pointer: string
  readonly value: string
}

function requireForm(given: FormValue, operations: Operations): void {
  const { firstWord, pointer, value } = given
  switch (firstWord) {
    case 'list':
      requireListValue(given)
      return
    case 'error':
      requirePointer(`${firstWord}${pointer}`, value)
      return
    case 'token':
      requireOneOf(firstWord, pointer.slice(1), listNamesOfTokens(operations))
      return
    case 'place':
      requirePlace(given, operations)
      return
    // `requireSettable` knows the names of events, and the only place of a scheme.
    case 'event':
    case 'authorization':
      requireFilled(`${firstWord}${pointer}`, value)
      return
    default:
      requireWord(given, operations)
  }
}

/** Requires `next`, or the order or the items of a list of the contract. */
function requireListValue({ pointer, value }: FormValue): void {
  const [, what = '', list = ''] = pointer.split('/')
  const name = `list${pointer}`
  if (what === 'next') {
    if (value !== LINK_HEADER) requirePointer(name, value, ', or link for a header Link')
    return
  }

  const declared = behaviour.lists[list]
  const lists = Object.keys(behaviour.lists)
  if (!declared) refuse(`list/${what} has no list "${list}"; it has ${lists.join(', ')}`)
  // The empty pointer is the whole body, which may be an array.
  if (what === 'items') {
    if (value !== '') requirePointer(name, value)
    return
  }

  // The declared order is what the checker expects anyway.
  const { direction } = declared.order ?? {}
  if (direction === undefined) refuse(`${name} cannot be set: the contract declares no order of it`)
  const other = direction === 'newest-first' ? 'oldest-first' : 'newest-first'
  if (value !== other)
    refuse(
      `${name} can only be "${other}", since the contract declares ${direction}; got "${value}"`,
    )
}

/** Lists what takes a token of the partner or of a customer: names of resources, and ids of operations without one. */
function listNamesOfTokens(operations: Operations): readonly string[] {
  const ofBoth = operations.filter(
    ({ tokens }) => tokens.includes('partner') && tokens.includes('customer'),
  )
  return unique(ofBoth.map(({ id, resource = id }) => resource))
}

/** Requires a resource that a response shows as one record, and then a field of it, if one is named. */
function requirePlace({ pointer, value }: FormValue, operations: Operations): void {
  const [, resource = '', ...fieldSteps] = pointer.split('/')
  const ofRecords = operations.filter(({ record }) => record && !record.isList)
  const resources = unique(ofRecords.flatMap((operation) => operation.resource ?? []))
  requireOneOf('place', resource, resources)
  const isOfField = fieldSteps.length > 0
  // The empty pointer is the whole body, which may be the record.
  if (isOfField || value !== '') requirePointer(`place${pointer}`, value)
  if (!isOfField) return

  const field = `/${fieldSteps.join('/')}`
  const ofResource = ofRecords.filter((operation) => operation.resource === resource)
  const isDeclared = ofResource.some((operation) => declaresField(operation, field))
  if (isDeclared) return
  const names = unique(ofResource.flatMap(listFieldsOfRecord))
  refuse(`the contract declares no ${field} of ${resource}; it has ${names.join(', ')}`)
}

function declaresField({ field, status, record }: Operation, pointer: string): boolean {
  return field(status, `${record?.pointer ?? ''}${pointer}`) !== undefined
}

/** Requires a field of a resource with an enumeration, and a word of that. */
function requireWord({ firstWord: resource, pointer }: FormValue, operations: Operations): void {
  const [, field = '', ...wordParts] = pointer.split('/')
  const word = wordParts.join('/')
  const wordsByField = readWordsByField(resource, operations)
  const fields = [...wordsByField.keys()]
  if (fields.length === 0)
    refuse(`${resource}${pointer} cannot be set: no field of ${resource} has words of its own`)

  const words = wordsByField.get(field)
  if (!words) refuse(`${resource} has no field "${field}" with words; it has ${fields.join(', ')}`)
  if (!words.has(word))
    refuse(`${resource}/${field} has no word "${word}"; it has ${[...words].join(', ')}`)
}

/** Reads the words that the contract has for each field of a resource: the values of its enum, or its states. */
function readWordsByField(
  resource: string,
  operations: Operations,
): ReadonlyMap<string, ReadonlySet<string>> {
  const wordsByField = new Map<string, ReadonlySet<string>>()
  function add(field: string, words: readonly string[]): void {
    if (words.length > 0)
      wordsByField.set(field, new Set([...(wordsByField.get(field) ?? []), ...words]))
  }

  const kind = declaredKinds.find(({ name }) => name === resource)
  add('status', Object.keys(kind?.resource.states ?? {}))
  for (const operation of operations) {
    if (operation.resource !== resource) continue
    for (const field of listFieldsOfRecord(operation))
      add(field.slice(1), listWords(operation, field))
  }
  return wordsByField
}

/** Lists the pointers of the fields of the record that a success shows: `['/id', '/status']`. */
function listFieldsOfRecord(operation: Operation): string[] {
  const schemas = listSchemasOfRecord(operation, '')
  const names = schemas.flatMap(({ properties }) => Object.keys(fieldsOf(properties)))
  return unique(names).map((name) => `/${name}`)
}

/** Lists the values of the enum of a field of the record that a success shows. */
function listWords(operation: Operation, field: string): string[] {
  const schemas = listSchemasOfRecord(operation, field)
  return schemas
    .flatMap((schema) => listItems(schema.enum))
    .filter((word) => typeof word === 'string')
}

/** Lists the schemas of a place in the record that a success shows, or in an item of its list. */
function listSchemasOfRecord({ record, success, document }: Operation, field: string) {
  if (!record || !success.body) return []
  const pointer = record.isList ? `${record.pointer}/0` : record.pointer
  return schemasAt(document, success.body.schema, `${pointer}${field}`)
}

/** Requires an operation of the contract that takes a value at a pointer: in its body, or in its path. */
function requireRequestValue(id: string, pointer: string, operations: Operations): void {
  const operation = operations.find((each) => each.id === id && !each.isAlias)
  if (!operation) {
    const resources = declaredKinds.map(({ name }) => name)
    const ids = unique(operations.map((each) => each.id))
    const firstWords = [...ids, ...FIRST_WORDS, ...resources]
    refuse(`the contract has no operation "${id}"; it can begin with ${firstWords.join(', ')}`)
  }

  // A field that the contract does not declare is sent too: a service may want it.
  if (operation.request) return

  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
  const pointers = inPath.map(({ name }) => `/${name}`)
  if (pointers.includes(pointer)) return
  const words = pointers.length === 0 ? 'takes no values' : `takes ${pointers.join(', ')}`
  refuse(`${id} has no "${pointer}" that can be set; it ${words}`)
}

/** Requires that a name after the first word, such as `transfer` of `token/transfer`, is one of some names. */
function requireOneOf(firstWord: string, name: string, names: readonly string[]): void {
  if (!names.includes(name)) refuse(`${firstWord} has no "${name}"; it has ${names.join(', ')}`)
}

/**
 * Requires that a value is a JSON pointer into a body.
 *
 * @param orElse What else it may be, in words.
 */
function requirePointer(name: string, value: string, orElse = ''): void {
  if (!/^(\/[^/]+)+$/.test(value))
    refuse(`${name} must be a JSON pointer such as /page/cursor${orElse}, got "${value}"`)
}

function requireFilled(name: string, value: string): void {
  if (value === '') refuse(`${name} must not be empty`)
}

function refuse(message: string): never {
  throw new GivenFormError(message)
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}
