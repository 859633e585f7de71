import { pointerOf } from '@partner-payments/contract'
import { isNode, type Node } from '../../lint/marks.ts'
import { followReferences } from '../../lint/operations.ts'
import { countSightings, type Finding, listPlaces } from '../evidence.ts'
import {
  type Change,
  type Context,
  changeExamples,
  describeCounts,
  isAbout,
  nodeAt,
  placeBelow,
  requirePlace,
} from './change.ts'

/**
 * The changes of single fields: a required one that was absent, one that was null, and one that the
 * contract does not declare.
 */
export function fieldChanges(context: Context): Change[] {
  const fieldPointers = listPlaces(context.observed, 'presence').filter((at) =>
    at.includes('/properties/'),
  )
  const propertiesPointers = listPlaces(context.observed, 'undeclared').filter((at) =>
    at.endsWith('/properties'),
  )
  return [
    ...fieldPointers.flatMap((at) => absenceChange(context, at)),
    ...fieldPointers.flatMap((at) => nullChange(context, at)),
    ...propertiesPointers.flatMap((at) => additionChanges(context, at)),
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
  return [nodeAt(contract, holder).required ?? []].flat().map(String)
}

/**
 * The change that makes a required field optional, since responses came without it. A field that no
 * response had is removed, unless spec/behaviour needs it. `at` is the pointer of the field. No
 * change if no finding is about the absence.
 */
function absenceChange(context: Context, at: string): Change[] {
  const { observed, contract } = context
  // Only the constant tells the alternatives of a schema apart, so it stays required.
  if ('const' in nodeAt(contract, at)) return []

  const field = splitField(at)
  const { holder, name } = field
  const { absent = 0, present = 0 } = countSightings(observed, at, 'presence')
  const isRequiredAndAbsent = absent > 0 && requiredNames(contract, holder).includes(name)
  if (!isRequiredAndAbsent) return []

  const isAboutField = (finding: Finding) =>
    isAbout(finding, `${holder}/required`) && finding.message.includes(name)
  // A body of another media type was not compared with its schema, so it has no such finding.
  const wasCompared = !observed.findings.some(({ rule }) => rule === 'responses-media-type')
  if (wasCompared && !observed.findings.some(isAboutField)) return []

  const wasNeverThere = present === 0
  return [
    {
      says: wasNeverThere ? `${name} is never there.` : `${name} may be left out.`,
      explains: isAboutField,
      apply() {
        makeOptional(context, field)
        const isRemoved = wasNeverThere && !isUsedByBehaviour(context, field)
        if (isRemoved) removeField(context, field)
      },
    },
  ]
}

/** Removes a field from `required` of its object. */
function makeOptional(context: Context, { holder, name }: Field): void {
  const { files, contract } = context
  const required = placeBelow(requirePlace(context, holder), 'required')
  const current = files.value(required) ?? requiredNames(contract, holder)
  const others = [current].flat().filter((requiredName) => requiredName !== name)
  if (others.length > 0) files.set(required, others)
  else files.remove(required)
}

/**
 * Whether spec/behaviour uses a field: one of its pointers ends with the name, or an example value
 * of the field is the code of a refusal. Such a field is not removed.
 */
function isUsedByBehaviour(
  { files, examples, behaviour }: Context,
  { holder, name }: Field,
): boolean {
  const scalars = files.folder('behaviour').flatMap((file) => files.scalars(file))
  const isPointedTo = scalars.some(({ value }) => String(value).endsWith(`/${name}`))
  if (isPointedTo) return true

  const refusals = isNode(behaviour.refusals) ? behaviour.refusals : {}
  const objects = [...(examples.get(holder)?.values() ?? [])].filter(isNode)
  return objects.some((object) => String(object[name]) in refusals)
}

/** Removes a field from the properties of its object, and from all examples of that object. */
function removeField(context: Context, { holder, name }: Field): void {
  const { files, examples } = context
  files.remove(placeBelow(requirePlace(context, holder), 'properties', name))
  for (const pointer of examples.get(holder)?.keys() ?? []) {
    const place = files.findPlace(pointerOf(pointer, name))
    if (place && files.has(place)) files.remove(place)
  }
}

/**
 * The change that adds `null` to the type of a field which was null in a response. `at` is the
 * pointer of the field.
 */
function nullChange(context: Context, at: string): Change[] {
  const { observed, contract, files } = context
  const { null: nulls = 0 } = countSightings(observed, at, 'presence')
  const { type } = nodeAt(contract, at)
  if (nulls === 0 || typeof type !== 'string' || type === 'null') return []

  return [
    {
      says: `${splitField(at).name} may be null.`,
      explains: (finding) => isAbout(finding, `${at}/type`),
      apply: () => files.set(placeBelow(requirePlace(context, at), 'type'), [type, 'null']),
    },
  ]
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
  const { observed, contract, files } = context
  const holder = propertiesAt.slice(0, -'/properties'.length)
  const declared = nodeAt(contract, propertiesAt)
  // Of a name that may be personal, the checker shows only the form, such as `d{11}`: no field.
  const isNew = ({ name }: UndeclaredField) => /^[A-Za-z]\w*$/.test(name) && !(name in declared)
  const newFields = undeclaredFields(countSightings(observed, propertiesAt, 'undeclared')).filter(
    isNew,
  )
  return newFields.map(({ name, types, count }) => ({
    says: `${name} (${types.join(' or ')}) is shown (${count} times).`,
    // An undeclared field breaks no rule, so no finding is about it.
    explains: () => false,
    /**
     * Declares the field with the types that were seen, and shows it in the examples of its object.
     */
    apply() {
      const properties = placeBelow(requirePlace(context, holder), 'properties')
      files.add(properties, name, {
        type: types.length === 1 ? types[0] : types,
        description: 'Seen on the service. What it means is not known.',
      })
      if (types[0] === 'string') addToExamples(context, { holder, name })
    },
  }))
}

/**
 * Fields by name, with their types. Evidence counts each name with its type:
 * `{ "note: string": 3 }` becomes `[{ name: 'note', types: ['string'], count: 3 }]`.
 */
function undeclaredFields(
  countsByNameAndType: Readonly<Record<string, number>>,
): UndeclaredField[] {
  const fields = Object.entries(countsByNameAndType).map(([nameAndType, count]) => {
    const separator = nameAndType.lastIndexOf(': ')
    const name = nameAndType.slice(0, separator)
    return { name, type: nameAndType.slice(separator + 2), count }
  })
  return [...Map.groupBy(fields, ({ name }) => name)].map(([name, sameNamed]) => ({
    name,
    types: sameNamed.map(({ type }) => type),
    count: sameNamed.reduce((sum, { count }) => sum + count, 0),
  }))
}

/**
 * Adds a new field to the examples of its object. Its value is the sentence of a field that was
 * removed from the example, since the new one probably replaces that; an example without such a
 * sentence stays as it is.
 */
function addToExamples({ files, examples, contract }: Context, { holder, name }: Field): void {
  const { properties } = nodeAt(contract, holder)
  for (const [pointer, example] of examples.get(holder) ?? []) {
    const place = files.findPlace(pointer)
    const isMapInFile = place !== undefined && files.keys(place).length > 0
    if (!isMapInFile || !isNode(example)) continue

    // Examples that share one value in the file get the field only once.
    const current = files.value(place)
    if (!isNode(current) || name in current) continue

    const removedFields = Object.keys(properties ?? {}).filter(
      (field) => field in example && !(field in current),
    )
    const withSentence = removedFields.find((field) => isSentence(example[field]))
    if (withSentence !== undefined) files.add(place, name, example[withSentence])
  }
}

function isSentence(value: unknown): boolean {
  return typeof value === 'string' && /\s/.test(value)
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
  const { observed, contract, files } = context
  const target = pointerOfTarget(contract, at)
  const isAboutType = (finding: Finding) => isAbout(finding, `${target}/type`)
  // How often each type was seen, such as `{ string: 30, null: 2 }`.
  const counts = countSightings(observed, at, 'type')
  const seenTypes = Object.keys(counts)
  const declared = [nodeAt(contract, target).type ?? []].flat().map(String)
  const hasOtherType = seenTypes.some((type) => !declared.includes(type))
  if (!hasOtherType || !observed.findings.some(isAboutType)) return []

  const types = withoutIntegers(seenTypes)
  return [
    {
      says: `${at.split('/').at(-1)} is of the type ${describeCounts(counts)}.`,
      explains: isAboutType,
      /** Sets the type, and removes the keywords that only strings have. */
      apply() {
        const place = requirePlace(context, at)
        // A reference gives way to a type, since others may refer to the same schema.
        const keyword = target === at ? 'type' : '$ref'
        files.set(placeBelow(place, keyword), types.length === 1 ? types[0] : types)
        // Renamed, not removed and added, so that the type stands where the reference stood.
        if (keyword === '$ref') files.rename(placeBelow(place, '$ref'), 'type')

        for (const stringKeyword of ['pattern', 'format'])
          if (files.has(placeBelow(place, stringKeyword)))
            files.remove(placeBelow(place, stringKeyword))

        const hasNumbers = types.includes('number') || types.includes('integer')
        if (hasNumbers) changeExamples(context, at, toNumber)
      },
    },
  ]
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
