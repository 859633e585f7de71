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
  const unknownFields = errors.filter(({ params }) => unknownName(params) !== undefined)
  const others = errors.filter(
    (error) => !unknownFields.includes(error) && !followsFromOther(error, errors),
  )
  return [
    ...unknownFields.map(unknownFieldFault),
    ...others.map((error) => ({ at: error.instancePath, message: formSentence(error) })),
  ]
}

function unknownFieldFault({ instancePath, params, parentSchema }: ErrorObject): Fault {
  const name = String(unknownName(params))
  const next = didYouMean(name, fieldNames(parentSchema), '; correct its name, or remove it.')
  const message = `"${name}" is not a field here${next}`
  return { at: pointerBelow(instancePath, name), message }
}

/** Whether an error of ajv only follows from another one, which says better what is wrong. */
function followsFromOther(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  const { keyword, schemaPath, instancePath } = error
  // Beside an "if" that fails is the error of its "then".
  if (keyword === 'if') return true
  if (keyword !== 'required') return false

  const atSamePlace = errors.filter((other) => other.instancePath === instancePath)
  // The error of the choice says what is missing.
  const isOfChoice =
    schemaPath.includes('/oneOf/') && atSamePlace.some((other) => other.keyword === 'oneOf')
  // If the name of a field is misspelt, the field seems to be missing.
  const isMisspelt = atSamePlace.some(({ params }) => unknownName(params) !== undefined)
  return isOfChoice || isMisspelt
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
function formSentence({
  keyword,
  schema,
  params,
  data,
  message,
  instancePath,
}: ErrorObject): string {
  // The last step that is no index; none if the error is about the whole file.
  const field = stepsOf(instancePath).findLast((step) => !/^\d+$/.test(step)) ?? ''
  if (keyword === 'required') return `The entry lacks "${params.missingProperty}"; add it.`

  // The schema has `oneOf` only for words that exclude each other, and `not` only for two sources.
  if (keyword === 'oneOf') return choiceSentence(schema, data)
  if (keyword === 'not') return 'The entry has both "fact" and "question"; remove one of them.'

  if (keyword === 'enum') {
    const values = (schema as unknown[]).map(String)
    const next = didYouMean(String(data), values, `; it is one of ${values.join(', ')}.`)
    return `"${data}" is not a value of ${field}${next}`
  }

  const meaning = keyword === 'pattern' ? meaningOfPattern(params.pattern) : undefined
  if (meaning) return `"${data}" is not ${meaning}.`
  return `"${field}" ${message}; correct it.`
}

/** What to do about an entry with none, or several, of the fields of which it must have one. */
function choiceSentence(schema: unknown, data: unknown): string {
  const choices = Array.isArray(schema) ? schema.filter(isNode) : []
  const names = choices.flatMap(({ required }) => (Array.isArray(required) ? required : []))
  const present = names.filter((name) => isNode(data) && name in data)
  if (present.length === 0) return `The entry lacks one of ${names.join(', ')}; add one.`
  return `The entry has ${present.join(' and ')}; keep one of them.`
}

/** What a pattern of the schema means. */
function meaningOfPattern(pattern: string): string | undefined {
  if (pattern.startsWith('^P(')) return 'a duration; write it as PT30M or P1D'
  if (pattern.startsWith('^(/')) return 'a pointer; write it as /data/id'
  if (pattern.includes('#')) return 'a place; write it as checkKey#/id'
  if (pattern.startsWith('^[a-z]')) return 'an operationId; write it as checkKey'
  return undefined
}
