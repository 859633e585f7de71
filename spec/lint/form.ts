import { stepsOf } from '@partner-payments/contract'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { isNode, type Node } from './marks.ts'
import { pointerBelow } from './operations.ts'
import type { Fault } from './rule.ts'
import { didYouMean } from './suggest.ts'

/**
 * The faults of a value that does not conform to a JSON Schema, each with the next step. Leaves out
 * errors that only follow from another one.
 *
 * @param errors From a validation with `allErrors` and `verbose`.
 */
export function formFaults(errors: readonly ErrorObject[]): Fault[] {
  const unknownFields = errors.filter(isUnknownField)
  const otherErrors = errors.filter((error) => !isUnknownField(error))
  const ownErrors = otherErrors.filter((error) => !followsFromOther(error, errors))
  return [
    ...unknownFields.map(unknownFieldFault),
    ...ownErrors.map((error) => ({ at: error.instancePath, message: formSentence(error) })),
  ]
}

/** Whether an error is about a field that the schema does not have. */
function isUnknownField({ params }: ErrorObject): boolean {
  return unknownName(params) !== undefined
}

/** The fault of a field that the schema does not have, with the field that was probably meant. */
function unknownFieldFault({ instancePath, params, parentSchema }: ErrorObject): Fault {
  const name = String(unknownName(params))
  const next = didYouMean(name, fieldNames(parentSchema), '; correct its name, or remove it.')
  const message = `"${name}" is not a field here${next}`
  return { at: pointerBelow(instancePath, name), message }
}

/**
 * Whether an error of ajv only follows from another one, which says better what is wrong. Of a misspelt
 * field, ajv says that the name is unknown, and also that the right name is missing.
 */
function followsFromOther(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  const { keyword, schemaPath, instancePath } = error
  // ajv reports "if" beside the error of its "then", which says what is wrong.
  if (keyword === 'if') return true
  if (keyword !== 'required') return false

  const atSamePlace = errors.filter((other) => other.instancePath === instancePath)
  // If the name of a field is misspelt, the field seems to be missing.
  const isMisspelt = atSamePlace.some(isUnknownField)
  if (isMisspelt) return true

  // A `oneOf` says by its own error which fields it offers.
  const isInChoice = schemaPath.includes('/oneOf/')
  return isInChoice && atSamePlace.some((other) => other.keyword === 'oneOf')
}

/** The name of a field that the schema does not have, if the error is about one. */
function unknownName(params: Node): unknown {
  return params.additionalProperty ?? params.unevaluatedProperty
}

/** The fields of an entry. Those of its source are in the schema `Source`, which it combines. */
function fieldNames(schema: unknown): string[] {
  const { properties, allOf } = isNode(schema) ? schema : {}
  const ownNames = Object.keys(isNode(properties) ? properties : {})
  const hasSource = Array.isArray(allOf)
  return hasSource ? [...ownNames, 'fact', 'question'] : ownNames
}

/**
 * The message about an error of ajv, with the next step: `"${data}" is not a value of status; …`.
 */
function formSentence(error: ErrorObject): string {
  const { keyword, schema, params, data } = error
  switch (keyword) {
    case 'required':
      return `The entry lacks "${params.missingProperty}"; add it.`
    // The schema has `oneOf` only for words that exclude each other, and `not` only for two sources.
    case 'oneOf':
      return choiceSentence(listAlternatives(schema), data)
    case 'not':
      return 'The entry has both "fact" and "question"; remove one of them.'
    case 'enum':
      return enumSentence(error)
    default:
      return otherSentence(error)
  }
}

/**
 * What to do about an entry with none, or several, of the fields of which it must have one.
 *
 * @param alternatives The names of these fields.
 */
function choiceSentence(alternatives: readonly string[], data: unknown): string {
  const present = alternatives.filter((name) => isNode(data) && name in data)
  if (present.length === 0) return `The entry lacks one of ${alternatives.join(', ')}; add one.`
  return `The entry has ${present.join(' and ')}; keep one of them.`
}

/** The fields of a `oneOf` whose schemas require one field each. */
function listAlternatives(oneOf: unknown): string[] {
  const schemas = Array.isArray(oneOf) ? oneOf.filter(isNode) : []
  return schemas.flatMap(({ required }) => (Array.isArray(required) ? required : []))
}

function enumSentence({ schema, data, instancePath }: ErrorObject): string {
  const values = (schema as unknown[]).map(String)
  const next = didYouMean(String(data), values, `; it is one of ${values.join(', ')}.`)
  return `"${data}" is not a value of ${lastFieldName(instancePath)}${next}`
}

function otherSentence({ keyword, params, data, message, instancePath }: ErrorObject): string {
  const meaning = keyword === 'pattern' ? meaningOfPattern(params.pattern) : undefined
  if (meaning) return `"${data}" is not ${meaning}.`
  return `"${lastFieldName(instancePath)}" ${message}; correct it.`
}

/** The last step of a pointer that is no index; empty for the pointer of the whole file. */
function lastFieldName(pointer: string): string {
  const isIndex = (step: string) => /^\d+$/.test(step)
  return stepsOf(pointer).findLast((step) => !isIndex(step)) ?? ''
}

/** What a pattern of the schema means, in words for a message; undefined if it is none of these. */
function meaningOfPattern(pattern: string): string | undefined {
  if (pattern.startsWith('^P(')) return 'a duration; write it as PT30M or P1D'
  if (pattern.startsWith('^(/')) return 'a pointer; write it as /data/id'
  if (pattern.includes('#')) return 'a place; write it as checkKey#/id'
  if (pattern.startsWith('^[a-z]')) return 'an operationId; write it as checkKey'
  return undefined
}
