import { fieldsOf, pointerOf } from '@partner-payments/contract'
import type { Node } from '../../lint/marks.ts'
import { followReferences } from '../../lint/operations.ts'
import { countSightings, type Finding, listPlaces } from '../evidence.ts'
import type { Place } from '../yaml-files.ts'
import {
  type Change,
  type Context,
  changeExamples,
  describeCounts,
  examplesOf,
  findReferences,
  isAbout,
  leaveOut,
  listReferrers,
  nodeAt,
  placeBelow,
  requirePlace,
} from './change.ts'

/**
 * The changes of single fields. A required field that was absent becomes optional, one that was null
 * may be null, and one that the contract does not declare gets declared.
 */
export function fieldChanges(context: Context): Change[] {
  const { observed } = context
  const fields = listPlaces(observed, 'presence').filter((at) => at.includes('/properties/'))
  const objects = listPlaces(observed, 'undeclared').filter((at) => at.endsWith('/properties'))
  return [
    ...fields.flatMap((at) => absenceChange(context, at)),
    ...fields.flatMap((at) => nullChange(context, at)),
    ...objects.flatMap((propertiesAt) => additionChanges(context, propertiesAt)),
  ]
}

/** The pointer of the object that has a field, and the name of the field. */
interface Field {
  readonly holder: string
  readonly name: string
}

/** Splits a pointer such as `/components/schemas/Key/properties/id`. */
function splitField(at: string): Field {
  const [, holder = '', name = ''] = /^(.*)\/properties\/([^/]+)$/.exec(at) ?? []
  return { holder, name }
}

/** The names that the contract requires of an object. */
function requiredNames(contract: Node, holder: string): string[] {
  const { required } = nodeAt(contract, holder)
  return Array.isArray(required) ? required.map(String) : []
}

/**
 * The change that makes a required field optional, since responses came without it. A field that no
 * response had is removed, unless spec/behaviour needs it. No change (an empty list) if the field was
 * never absent, or if that broke no rule. A field that is a fact stays, and a schema without it is missing.
 *
 * @param at The pointer of the field, such as `/components/schemas/Webhook/properties/url`.
 */
function absenceChange(context: Context, at: string): Change[] {
  const { observed, contract, facts } = context
  // Only the constant tells the alternatives of a schema apart, so it stays required.
  const isConstant = 'const' in nodeAt(contract, at)
  if (isConstant) return []

  const field = splitField(at)
  const { holder, name } = field
  // How often responses had the field, such as `{ present: 28, absent: 2 }`.
  const { absent = 0, present = 0 } = countSightings(observed, at, 'presence')
  const isRequired = requiredNames(contract, holder).includes(name)
  if (absent === 0 || !isRequired) return []

  // A finding may count several absent fields, and name only one of them: maybe not this one.
  const isAboutRequired = (finding: Finding) => isAbout(finding, `${holder}/required`)
  const hasFinding = observed.findings.some(isAboutRequired)
  // A body of another media type was not compared with its schema, so it has no such finding.
  const hasOtherMediaType = observed.findings.some(({ rule }) => rule === 'responses-media-type')
  if (!hasFinding && !hasOtherMediaType) return []

  const isAboutField = (finding: Finding) =>
    isAboutRequired(finding) && finding.message.includes(name)
  const isNeverThere = present === 0
  const change: Change = {
    says: isNeverThere ? `${name} is never there.` : `${name} may be left out.`,
    explains: isAboutField,
    apply: () => (isNeverThere ? removeAbsentField(context, field) : makeOptional(context, field)),
  }
  const isFact = facts.has(at)
  return [isFact ? leaveOut(context, at, change) : change]
}

/** Removes a field from the required ones of its object and, if it is not used, altogether. */
function removeAbsentField(context: Context, field: Field): void {
  makeOptional(context, field)
  const isNeeded = isUsedByBehaviour(context, field) || isOnlyUserOfComponent(context, field)
  if (!isNeeded) removeField(context, field)
}

/**
 * Whether this field is the only one that refers to some component, such as a schema: without the
 * field, the lint would report the component as unused.
 */
function isOnlyUserOfComponent(context: Context, { holder, name }: Field): boolean {
  const { contract } = context
  const property = placeBelow(requirePlace(context, holder), 'properties', name)
  const components = findReferences(nodeAt(contract, `${holder}/properties/${name}`))
  return components.some((component) => {
    const places = listReferrers(context, component)
    return places.every((place) => isBelow(place, property))
  })
}

/** Whether a place is at or below another one. */
function isBelow({ file, path }: Place, other: Place): boolean {
  return file === other.file && other.path.every((step, index) => path[index] === step)
}

/** Removes a field from `required` of its object, and `required` itself if nothing is left in it. */
function makeOptional(context: Context, { holder, name }: Field): void {
  const { files } = context
  const required = placeBelow(requirePlace(context, holder), 'required')
  const names = files.value(required)
  if (!Array.isArray(names)) return

  const others = names.filter((requiredName) => requiredName !== name)
  if (others.length > 0) files.set(required, others)
  else files.remove(required)
}

/**
 * Whether spec/behaviour uses a field: one of its pointers ends with the name, or an example value
 * of the field is the code of a refusal. Such a field is not removed.
 */
function isUsedByBehaviour(context: Context, { holder, name }: Field): boolean {
  const { files, behaviour } = context
  const scalars = files.folder('behaviour').flatMap((file) => files.scalars(file))
  const isPointedTo = scalars.some(({ value }) => String(value).endsWith(`/${name}`))
  if (isPointedTo) return true

  const refusals = fieldsOf(behaviour.refusals)
  for (const example of examplesOf(context, holder).values()) {
    const code = fieldsOf(example)[name]
    if (String(code) in refusals) return true
  }
  return false
}

/** Removes a field from the properties of its object, and from all examples of that object. */
function removeField(context: Context, { holder, name }: Field): void {
  const { files } = context
  files.remove(placeBelow(requirePlace(context, holder), 'properties', name))
  for (const pointer of examplesOf(context, holder).keys()) {
    const place = files.findPlace(pointerOf(pointer, name))
    if (place) files.removeIfPresent(place)
  }
}

/**
 * The change that adds `null` to the type of a field which was null in a response: `string` becomes
 * `[string, 'null']`. No change (an empty list) if it never was, or if it may be null already.
 *
 * @param at The pointer of the field.
 */
function nullChange(context: Context, at: string): Change[] {
  const { observed, contract, facts, files } = context
  const { null: nulls = 0 } = countSightings(observed, at, 'presence')
  const { type } = nodeAt(contract, at)
  if (nulls === 0 || typeof type !== 'string' || type === 'null') return []

  const change: Change = {
    says: `${splitField(at).name} may be null.`,
    explains: (finding) => isAbout(finding, `${at}/type`),
    apply: () => files.set(placeBelow(requirePlace(context, at), 'type'), [type, 'null']),
  }
  const isFact = facts.has(`${at}/type`)
  return [isFact ? leaveOut(context, at, change) : change]
}

/** A field that was seen, and that its object does not declare. */
interface UndeclaredField {
  readonly name: string
  readonly types: readonly string[]
  readonly count: number
}

/**
 * The changes that declare fields which responses had and the contract did not: one for each field.
 *
 * @param propertiesAt The pointer of the `properties` of the object that had them.
 */
function additionChanges(context: Context, propertiesAt: string): Change[] {
  const { observed, contract } = context
  const holder = propertiesAt.slice(0, -'/properties'.length)
  const declared = nodeAt(contract, propertiesAt)
  const seenFields = undeclaredFields(countSightings(observed, propertiesAt, 'undeclared'))
  const newFields = seenFields.filter(({ name }) => isFieldName(name) && !(name in declared))
  return newFields.map((field) => ({
    says: `${field.name} (${field.types.join(' or ')}) is shown (${field.count} times).`,
    // An undeclared field breaks no rule, so no finding is about it.
    explains: () => false,
    apply: () => declareField(context, holder, field),
  }))
}

/** Of a name that may be personal, the checker shows only the form, such as `9{11}`: no field. */
function isFieldName(name: string): boolean {
  return /^[A-Za-z]\w*$/.test(name)
}

/**
 * Declares a field with the types that were seen. Examples do not show it: which values it has was
 * not seen, and the value of another field would say something else.
 */
function declareField(context: Context, holder: string, { name, types }: UndeclaredField): void {
  const properties = placeBelow(requirePlace(context, holder), 'properties')
  // As in the rest of the contract, null comes last.
  const others = types.filter((type) => type !== 'null')
  const ordered = types.includes('null') ? [...others, 'null'] : others
  context.files.add(properties, name, {
    type: ordered.length === 1 ? ordered[0] : ordered,
    description: 'Seen on the service. What it means is not known.',
  })
}

/**
 * Fields by name, with their types. Evidence counts each name with its type:
 * `{ "note: string": 3 }` becomes `[{ name: 'note', types: ['string'], count: 3 }]`.
 */
function undeclaredFields(
  countsByNameAndType: Readonly<Record<string, number>>,
): UndeclaredField[] {
  const fields = new Map<string, UndeclaredField>()
  for (const [nameAndType, count] of Object.entries(countsByNameAndType)) {
    const separator = nameAndType.lastIndexOf(': ')
    const name = nameAndType.slice(0, separator)
    const type = nameAndType.slice(separator + 2)
    const earlier = fields.get(name) ?? { types: [], count: 0 }
    fields.set(name, { name, types: [...earlier.types, type], count: earlier.count + count })
  }
  return [...fields.values()]
}

/** Values of another type than the contract says. */
export function typeChanges(context: Context): Change[] {
  return listPlaces(context.observed, 'type').flatMap((at) => typeChange(context, at))
}

/**
 * The change of the type of a schema to the types that were seen. No change if only the declared
 * types were seen, or if no finding is about the type.
 *
 * @param at The pointer of the schema; it may refer to another schema.
 */
function typeChange(context: Context, at: string): Change[] {
  const { observed, contract, facts } = context
  const target = pointerOfTarget(contract, at)
  const isAboutType = (finding: Finding) => isAbout(finding, `${target}/type`)
  // How often each type was seen, such as `{ string: 30, null: 2 }`.
  const counts = countSightings(observed, at, 'type')
  const seenTypes = Object.keys(counts)
  // A schema has one type, a list of types, or none.
  const { type: declaredType = [] } = nodeAt(contract, target)
  const declared = [declaredType].flat().map(String)
  const hasOtherType = seenTypes.some((type) => !declared.includes(type))
  if (!hasOtherType || !observed.findings.some(isAboutType)) return []

  const change: Change = {
    says: `${at.split('/').at(-1)} is of the type ${describeCounts(counts)}.`,
    explains: isAboutType,
    apply: () => changeType(context, at, withoutIntegers(seenTypes)),
  }
  // A field that is an assumption may refer to a schema whose type is a fact elsewhere.
  const isReference = target !== at
  const isFact = facts.has(`${target}/type`) && (!isReference || facts.has(at))
  return [isFact ? leaveOut(context, at, change) : change]
}

/**
 * Sets the types of a schema, such as `['integer', 'null']`, and removes the keywords that only
 * strings have. Strings of examples become numbers if the type has some.
 */
function changeType(context: Context, at: string, types: readonly string[]): void {
  const { files } = context
  const place = requirePlace(context, at)
  const type = types.length === 1 ? types[0] : types
  const reference = placeBelow(place, '$ref')
  if (files.has(reference)) {
    // Others may refer to the same schema, so the type stands instead of the reference:
    // `$ref: ./values.yaml#/Amount` becomes `type: number`.
    files.set(reference, type)
    files.rename(reference, 'type')
  } else {
    files.set(placeBelow(place, 'type'), type)
  }

  files.removeIfPresent(placeBelow(place, 'pattern'))
  files.removeIfPresent(placeBelow(place, 'format'))

  const hasNumbers = types.includes('number') || types.includes('integer')
  if (hasNumbers) changeExamples(context, at, toNumber)
}

/** The pointer of the schema that a place refers to; the place itself if it refers to none. */
function pointerOfTarget(contract: Node, at: string): string {
  return followReferences(contract, nodeAt(contract, at), at).at
}

/** The types without `integer` where they have `number`, which includes it. */
function withoutIntegers(types: readonly string[]): string[] {
  const hasNumber = types.includes('number')
  return types.filter((type) => type !== 'integer' || !hasNumber)
}

/** The number that a string shows, such as 12.5 of "12.5"; undefined if it shows none. */
function toNumber(value: unknown): number | undefined {
  const isNumeric = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
  return isNumeric ? Number(value) : undefined
}
