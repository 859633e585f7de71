import {
  aspectOf,
  type Contract,
  type Declared,
  declaredIn,
  inlinedWholeMark,
  isEvent,
  isNode,
  isOfWholeNode,
  listMarks,
  mediaOf,
  type Node,
  type PlacedMark,
} from './contract.ts'
import { statements } from './statements.ts'
import { assumptions, paragraphs, prose } from './text.ts'

/** A field or parameter. */
export interface Field {
  readonly name: string
  /** Where it is inside a body, such as `payer.tax_id`; the name of a parameter. */
  readonly path: string
  readonly schema: Node
  readonly isRequired: boolean
  readonly marks: readonly PlacedMark[]
  /** The alternative that has the field; undefined if all have it. */
  readonly alternative?: Alternative | undefined
}

/** An alternative of a `oneOf`. */
interface Alternative {
  /** What selects it, as Markdown: `` `type` is `emv` ``. */
  readonly selector: string
  /** How many alternatives there are. */
  readonly total: number
}

/**
 * The fields of an operation, by where they are: `{ parameters, request, response, headers }`. The
 * last two are those of its success. The contract must be one without `$ref` (see `inline`).
 */
export function fieldsOfOperation({ node, parameters, responses }: Declared) {
  const success = responses.find(({ status }) => status.startsWith('2'))?.node ?? {}
  return {
    parameters: parameters.map((parameter) => parameterField(parameter.node)),
    request: bodyFields(node.requestBody),
    response: bodyFields(success),
    headers: headerFields(success.headers),
  }
}

/** The headers of a response in the form of fields of a body. */
function headerFields(headers: unknown): Field[] {
  if (!isNode(headers)) return []
  return Object.entries(headers).map(([name, header]) =>
    parameterField({ name, in: 'header', ...(header as Node) }),
  )
}

/**
 * A parameter or a header in the form of a field of a body, so that pages show both alike. Its
 * description stands beside its schema, so `schema` has both.
 */
function parameterField(parameter: Node): Field {
  const name = String(parameter.name)
  const schema = isNode(parameter.schema) ? parameter.schema : {}
  return {
    name,
    path: name,
    schema: { ...schema, ...parameter },
    isRequired: parameter.required === true,
    marks: listMarks(parameter),
  }
}

/**
 * Every field of a body, those of objects and arrays in it included, each once by its path, such as
 * `payer.tax_id`.
 */
function bodyFields(body: unknown): Field[] {
  const marks = listMarks(body).filter(isOfWholeNode)
  const fields = collectFields(mediaOf(body).schema, { path: '', marks, alternative: undefined })

  // Several parts of an `allOf` may have the same field: the last one counts. A field of an alternative
  // of a `oneOf` is another one in each: `amount if type is emv`.
  const uniqueFields = new Map<string, Field>()
  for (const field of fields) {
    const { path, alternative } = field
    uniqueFields.set(alternative ? `${path} if ${alternative.selector}` : path, field)
  }
  return [...uniqueFields.values()]
}

/** What holds the fields of a schema. */
interface Holder {
  /** The path of the field that has the schema; empty for the body itself. */
  readonly path: string
  /** The marks of what is assumed with all that is in it. */
  readonly marks: readonly PlacedMark[]
  readonly alternative: Alternative | undefined
}

/**
 * The fields of a schema: those of its own properties, of the schemas that it combines (`allOf`,
 * `anyOf`, `oneOf`), and of the objects and items in it.
 *
 * @param holder The field that has the schema: its path, and the marks that its fields get if they
 * have none of their own.
 */
function collectFields(schema: unknown, holder: Holder): Field[] {
  // A schema may be absent, or `true`.
  if (!isNode(schema)) return []

  // If the schema is assumed as a whole, so are its fields. Otherwise they have the marks of the holder.
  const isAssumedAsWhole = inlinedWholeMark(schema) !== undefined
  const marks = isAssumedAsWhole ? listMarks(schema).filter(isOfWholeNode) : holder.marks
  const inherited: Holder = { ...holder, marks }
  const combinedSchemas = [schema.allOf, schema.anyOf].flat()
  return [
    ...combinedSchemas.flatMap((part) => collectFields(part, inherited)),
    ...fieldsOfAlternatives(schema, inherited),
    ...collectFields(schema.items, inherited),
    ...fieldsOfProperties(schema, inherited),
  ]
}

/**
 * The fields of the schemas in a `oneOf`. If a field selects the alternative, such as `type`, each
 * field also says which alternative has it.
 */
function fieldsOfAlternatives(schema: Node, holder: Holder): Field[] {
  const alternatives = [schema.oneOf ?? []].flat()
  return alternatives.flatMap((part) => {
    const selector = describeSelector(schema.discriminator, part)
    if (selector === undefined) return collectFields(part, holder)

    const alternative = { selector, total: alternatives.length }
    return collectFields(part, { ...holder, alternative })
  })
}

/**
 * The properties of a schema as fields, each followed by the fields in it, with their paths: `payer`,
 * `payer.name`. A field without marks of its own has those of its holder.
 */
function fieldsOfProperties(schema: Node, holder: Holder): Field[] {
  const { path: parentPath, marks, alternative } = holder
  const required = [schema.required].flat()
  const properties = Object.entries(isNode(schema.properties) ? schema.properties : {})
  const fields: Field[] = []
  for (const [name, property] of properties) {
    const path = parentPath ? `${parentPath}.${name}` : name
    const ownMarks = marksOfField(property as Node)
    fields.push({
      name,
      path,
      schema: property as Node,
      isRequired: required.includes(name),
      marks: ownMarks.length > 0 ? ownMarks : marks,
      alternative,
    })
    fields.push(...collectFields(property, { ...holder, path }))
  }
  return fields
}

/** The marks of a field, those of its alternatives included. */
function marksOfField(schema: Node): PlacedMark[] {
  return [schema, schema.anyOf, schema.oneOf, schema.items].flat().flatMap(listMarks)
}

/**
 * The property and value that select an alternative of a `oneOf`: `` `type` is `emv` ``. Undefined if
 * the schema names no such property, or the alternative has no fixed value for it.
 */
function describeSelector(discriminator: unknown, part: unknown): string | undefined {
  if (!isNode(discriminator) || !isNode(part)) return undefined
  const fields = collectFields(part, { path: '', marks: [], alternative: undefined })
  const field = fields.find(({ path }) => path === discriminator.propertyName)
  if (field?.schema.const === undefined) return undefined
  return `\`${field.path}\` is \`${field.schema.const}\``
}

/** An object with at most so many fields counts as a wrapper: the lists of its fields start open. */
const MAX_FIELDS_OF_WRAPPER = 3

/**
 * Fields as a list of Markdown; empty if there are none. The fields of an object are a list below it,
 * which unfolds. In an object with few fields, these lists start open.
 *
 * @param labels The words for a field that is required, and for one that may be missing.
 * @param prefix The path of the object whose fields are listed, such as `payer.`; empty for the
 * body.
 */
export function fieldList(
  fields: readonly Field[],
  labels: readonly [required: string, optional: string],
  prefix = '',
): string {
  // Those directly in the object: for `payer.`, the field `payer.name`, but not `payer.address.city`.
  const fieldsOfObject = fields.filter(({ path, name }) => path === prefix + name)
  const byName = Map.groupBy(fieldsOfObject, ({ name }) => name)
  const isWrapper = byName.size <= MAX_FIELDS_OF_WRAPPER
  const tag = isWrapper ? '<details open>' : '<details>'

  const items: string[] = []
  for (const [name, variants] of byName) {
    const parts = [writeField(variants, labels)]
    const listOfChildren = fieldList(fields, labels, `${prefix}${name}.`)
    if (listOfChildren)
      parts.push(`${tag}${listTitle(name, listOfChildren)}`, listOfChildren, '</details>')
    items.push(`- ${indentLines(paragraphs(parts))}`)
  }
  return items.join('\n')
}

/** The title of a list of fields that unfolds. */
function listTitle(name: string, list: string): string {
  const count = list.match(/^- /gm)?.length
  const unit = count === 1 ? 'field' : 'fields'
  return `<summary>${count} ${unit} of <code>${name}</code></summary>`
}

function indentLines(text: string): string {
  return text.replaceAll(/\n(?=.)/g, '\n  ')
}

/**
 * The text of one field: its name, type and constraints, and what it means.
 *
 * @param variants The fields of one path: the alternatives of a schema may each have it, with other
 * types.
 */
function writeField(
  variants: readonly Field[],
  [required, optional]: readonly [string, string],
): string {
  const [first] = variants
  if (!first) return ''
  const { name, schema } = first

  const isRequired = variants.every((variant) => variant.isRequired)
  const form = [
    describeType(schema),
    isRequired ? required : optional,
    describeAlternatives(variants),
    describeConstants(variants),
    ...describeConstraints(schema),
  ]
  const title = `[\`${name}\`](/fields.md#${name}) ${form.filter(Boolean).join(' · ')}`
  return paragraphs(title, describeMeanings(variants))
}

/** Which alternatives have the field, such as `only if type is emv`; nothing if all have it. */
function describeAlternatives(variants: readonly Field[]): string {
  const alternatives = variants.map(({ alternative }) => alternative)
  // Undefined for a field of no alternative. `total` is how many alternatives the schema has.
  const [first] = alternatives
  const isInAll = first === undefined || alternatives.length >= first.total
  if (isInAll) return ''

  const selectors = alternatives.map((alternative) => alternative?.selector)
  return `only if ${selectors.join(' or ')}`
}

/** The constant values of a field: `` always `emv` ``, or, in several alternatives, `one of …`. */
function describeConstants(variants: readonly Field[]): string {
  const schemas = variants.map(({ schema }) => schema).filter((schema) => 'const' in schema)
  if (schemas.length === 0) return ''
  const constants = new Set(schemas.map((schema) => `\`${schema.const}\``))
  const intro = constants.size > 1 ? 'one of' : 'always'
  return `${intro} ${[...constants].join(', ')}`
}

/** What a field means, by alternative if they differ. */
function describeMeanings(variants: readonly Field[]): string[] {
  const byMeaning = [...Map.groupBy(variants, describeMeaning)]
  if (byMeaning.length === 1) return byMeaning.map(([text]) => text)
  return byMeaning.map(([text, [variant]]) => `If ${variant?.alternative?.selector}: ${text}`)
}

/** The constraints of a value, in words: `['1 to 25 characters', 'default 10']`. */
function describeConstraints(schema: Node): string[] {
  const { pattern, default: preset } = schema
  const constraints = [
    describeRange(schema.minLength, schema.maxLength, 'character'),
    describeRange(schema.minItems, schema.maxItems, 'item'),
    describeRange(schema.minimum, schema.maximum),
  ].filter((text) => text !== undefined)
  if (preset !== undefined) constraints.push(`default \`${preset}\``)
  if (pattern !== undefined) constraints.push(`pattern \`${pattern}\``)
  return constraints
}

/** Bounds in words, such as `1 to 25 characters`; undefined if there are none. */
function describeRange(from: unknown, to: unknown, unit = ''): string | undefined {
  if (from === undefined && to === undefined) return undefined
  const units = nameUnit(unit, to ?? from)
  if (from === to) return `${from}${units}`
  if (to === undefined) return `at least ${from}${units}`
  if (from === undefined) return `at most ${to}${units}`
  return `${from} to ${to}${units}`
}

/** A unit behind its number, or nothing. */
function nameUnit(unit: string, count: unknown): string {
  if (!unit) return ''
  return count === 1 ? ` ${unit}` : ` ${unit}s`
}

/** What a field means, as Markdown: its sentences with their marks, and the values of its enum. */
function describeMeaning({ schema, marks }: Field): string {
  const deprecation = schema.deprecated === true ? '**Deprecated.**' : ''
  const texts = [deprecation, statements(schema, marks, prose), guideLink(schema['x-guide'])]
  const values = [schema.enum ?? []].flat().map((value) => writeValue(schema, value))
  return paragraphs(texts.filter(Boolean).join(' '), markOfValues(schema, marks), values.join('\n'))
}

/**
 * A line above the values of an enum, if they are assumed: its marks, which hold for all of them.
 * Empty if the field has no enum, or no mark of it.
 */
function markOfValues(schema: Node, marks: readonly PlacedMark[]): string {
  const isOfValues = (mark: PlacedMark) => isOfWholeNode(mark) || aspectOf(mark) === 'values'
  const marksOfValues = schema.enum ? marks.filter(isOfValues) : []
  if (marksOfValues.length === 0) return ''
  return `The mark holds for all values: ${assumptions(marksOfValues)}`
}

/** A value of an enum, with its meaning if the contract has one. */
function writeValue({ 'x-enumDescriptions': meanings }: Node, value: unknown): string {
  const code = value === '' ? '""' : value
  const text = isNode(meanings) ? meanings[String(value)] : undefined
  return text ? `- \`${code}\`: ${prose(text)}` : `- \`${code}\``
}

/** Leads from a field to the guide that explains it. */
export function guideLink(guide: unknown): string {
  if (typeof guide !== 'string') return ''
  return `[Learn more](/guides/${guide.replace(/^[^#]+/, '$&.md')})`
}

/** The type of a schema in words, such as `array of string (date)`. */
function describeType(schema: Node): string {
  if (schema.type === 'array' && isNode(schema.items))
    return `array of ${describeType(schema.items)}`
  const type = typeName(schema)
  return schema.format ? `${type} (${schema.format})` : type
}

/** The type of a schema, or those of the schemas that it combines: `string or null`. */
function typeName({ type, oneOf, anyOf, allOf }: Node): string {
  if (type !== undefined) return [type].flat().join(' or ')
  const parts = [oneOf, anyOf, allOf].flat().filter(isNode)
  if (parts.length === 0) return 'any'
  return [...new Set(parts.map(describeType))].join(' or ')
}

/** The page of all fields by name: what each means, and which operations and events have it. */
export function fieldsPage(contract: Contract): string {
  const places = declaredIn(contract).flatMap(placesOfFields)
  const byName = Object.groupBy(places, ({ field }) => field.name)
  const names = Object.keys(byName).sort((one, other) => one.localeCompare(other))
  return paragraphs(names.map((name) => writeSection(name, byName[name] ?? [])))
}

/** A field, and a text that says where it is. */
interface FieldPlace {
  readonly field: Field
  readonly where: string
}

/**
 * The fields of an operation or an event, each with where it is:
 * `{ field, where: '{{operation:createTransfer}} response' }`, whose directive becomes a link.
 */
function placesOfFields(operation: Declared): FieldPlace[] {
  const { parameters, request, response, headers } = fieldsOfOperation(operation)
  const { path, id } = operation
  const place = (fields: readonly Field[], part: string): FieldPlace[] => {
    const where = isEvent(operation) ? `{{event:${path}}} event` : `{{operation:${id}}} ${part}`
    return fields.map((field) => ({ field, where }))
  }
  return [
    ...place(parameters, 'parameter'),
    ...place(request, 'request'),
    ...place(response, 'response'),
    ...place(headers, 'header'),
  ]
}

/**
 * The section of all fields with one name, such as `status`: what they mean (once if several mean the
 * same), and where they are.
 */
function writeSection(name: string, fieldPlaces: readonly FieldPlace[]): string {
  const meanings = new Set<string>()
  const places = new Set<string>()
  for (const { field, where } of fieldPlaces) {
    meanings.add(`- ${describeType(field.schema)}. ${indentLines(describeMeaning(field))}`)
    places.add(where)
  }
  return paragraphs(
    `## ${name} {#${name}}`,
    [...meanings].join('\n'),
    `In ${[...places].join(', ')}.`,
  )
}
