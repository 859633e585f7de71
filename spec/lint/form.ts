import { stepsOf } from '@partner-payments/contract'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { isNode, type Node } from './marks.ts'
import { pointerBelow } from './operations.ts'
import type { Fault } from './rule.ts'
import { didYouMean } from './suggest.ts'

/**
 * What differs from a JSON Schema, with the next step. The errors come from a validation with
 * `allErrors` and `verbose`.
 */
export function formFaults(errors: readonly ErrorObject[]): Fault[] {
  const faults: Fault[] = []
  const unknown = errors.filter(({ params }) => unknownName(params) !== undefined)
  for (const { instancePath, params, parentSchema } of unknown) {
    const name = String(unknownName(params))
    const next = didYouMean(name, namesIn(parentSchema), '; correct its name, or remove it.')
    const message = `"${name}" is not a field here${next}`
    faults.push({ at: pointerBelow(instancePath, name), message })
  }

  const choices = errors.filter(({ keyword }) => keyword === 'oneOf')
  const isOfChoice = ({ keyword, schemaPath, instancePath }: ErrorObject) =>
    keyword === 'required' &&
    schemaPath.includes('/oneOf/') &&
    choices.some((choice) => choice.instancePath === instancePath)
  const isAtUnknown = (path: string) => unknown.some(({ instancePath }) => instancePath === path)
  for (const error of errors) {
    // Beside an "if" that fails is the error of its "then".
    if (unknown.includes(error) || error.keyword === 'if') continue
    // The error of the choice says what is missing.
    if (isOfChoice(error)) continue
    // A field with a misspelt name is missing, too.
    const isMisspelt = error.keyword === 'required' && isAtUnknown(error.instancePath)
    if (!isMisspelt) faults.push({ at: error.instancePath, message: formSentence(error) })
  }
  return faults
}

function unknownName(params: Node): unknown {
  return params.additionalProperty ?? params.unevaluatedProperty
}

/** The fields of an entry. Those of its source are in a schema that it combines. */
function namesIn(schema: unknown): string[] {
  const { properties } = isNode(schema) ? schema : {}
  return [...Object.keys(isNode(properties) ? properties : {}), 'fact', 'question']
}

function formSentence({
  keyword,
  schema,
  params,
  data,
  message,
  instancePath,
}: ErrorObject): string {
  const field = stepsOf(instancePath).findLast((step) => !/^\d+$/.test(step)) ?? ''
  if (keyword === 'required') return `The entry lacks "${params.missingProperty}"; add it.`

  // Of the words that exclude each other, an entry has one. A source need not be there.
  if (keyword === 'oneOf') return choiceSentence(schema, data)
  if (keyword === 'not') return 'The entry has both "fact" and "question"; remove one of them.'

  if (keyword === 'enum') {
    const values = (schema as unknown[]).map(String)
    const next = didYouMean(String(data), values, `; it is one of ${values.join(', ')}.`)
    return `"${data}" is not a value of ${field}${next}`
  }

  const form = keyword === 'pattern' ? formOf(params.pattern) : undefined
  if (form) return `"${data}" is not ${form}.`
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
function formOf(pattern: string): string | undefined {
  if (pattern.startsWith('^P(')) return 'a duration; write it as PT30M or P1D'
  if (pattern.startsWith('^(/')) return 'a pointer; write it as /data/id'
  if (pattern.includes('#')) return 'a place; write it as checkKey#/id'
  if (pattern.startsWith('^[a-z]')) return 'an operationId; write it as checkKey'
  return undefined
}
