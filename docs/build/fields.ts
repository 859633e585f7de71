import {
  type Contract,
  type Declared,
  declaredIn,
  isEvent,
  isNode,
  isOfWholeNode,
  marksIn,
  mediaOf,
  type Node,
  type PlacedMark,
  wholeMark,
} from './contract.ts'
import { statements } from './statements.ts'
import { paragraphs, prose } from './text.ts'

/** A field or parameter. `path` says where it is inside a body. */
export interface Field {
  readonly name: string
  readonly path: string
  readonly schema: Node
  readonly isRequired: boolean
  readonly marks: readonly PlacedMark[]
  readonly choice?: Choice | undefined
}

/**
 * The alternative of a schema that has a field, by the value that selects it, and how many
 * alternatives there are.
 */
interface Choice {
  readonly name: string
  readonly of: number
}

/**
 * The parameters of an operation, and the fields of its request and its success, of an inlined
 * contract.
 */
export function fieldsOfOperation({ node, parameters, responses }: Declared) {
  const success = responses.find(({ status }) => status.startsWith('2'))?.node ?? {}
  const headers = Object.entries(isNode(success.headers) ? success.headers : {})
  return {
    parameters: parameters.map((parameter) => parameterField(parameter.node)),
    request: bodyFields(node.requestBody),
    response: bodyFields(success),
    headers: headers.map(([name, header]) =>
      parameterField({ name, in: 'header', ...(header as Node) }),
    ),
  }
}

function parameterField(parameter: Node): Field {
  const name = String(parameter.name)
  const schema = isNode(parameter.schema) ? parameter.schema : {}
  return {
    name,
    path: name,
    schema: { ...schema, ...parameter },
    isRequired: parameter.required === true,
    marks: marksIn(parameter),
  }
}

/** Every field of a body, those of objects and arrays in it included. */
function bodyFields(body: unknown): Field[] {
  const whole = marksIn(body).filter(isOfWholeNode)
  // Several parts of a schema may have the same field: the last one counts.
  const fields = new Map<string, Field>()
  for (const field of fieldsIn(mediaOf(body).schema, '', whole))
    fields.set(`${field.path} ${field.choice?.name}`, field)
  return [...fields.values()]
}

/** `around` are the marks of what is assumed with all that is in it. */
function fieldsIn(
  schema: unknown,
  parent: string,
  around: readonly PlacedMark[],
  choice?: Choice,
): Field[] {
  if (!isNode(schema)) return []
  const inherited = wholeMark(schema) ? marksIn(schema).filter(isOfWholeNode) : around
  const fields: Field[] = []

  for (const part of [schema.allOf, schema.anyOf].flat())
    fields.push(...fieldsIn(part, parent, inherited, choice))

  const alternatives = [schema.oneOf ?? []].flat()
  for (const alternative of alternatives) {
    const name = choiceName(schema.discriminator, alternative)
    const chosen = name ? { name, of: alternatives.length } : choice
    fields.push(...fieldsIn(alternative, parent, inherited, chosen))
  }

  fields.push(...fieldsIn(schema.items, parent, inherited, choice))

  const required = [schema.required].flat()
  for (const [name, property] of Object.entries(
    isNode(schema.properties) ? schema.properties : {},
  )) {
    const path = parent ? `${parent}.${name}` : name
    const marks = fieldMarks(property as Node)
    fields.push({
      name,
      path,
      schema: property as Node,
      isRequired: required.includes(name),
      marks: marks.length > 0 ? marks : inherited,
      choice,
    })
    fields.push(...fieldsIn(property, path, inherited, choice))
  }
  return fields
}

/** The marks of a field, those of its alternatives included. */
function fieldMarks(schema: Node): PlacedMark[] {
  return [schema, schema.anyOf, schema.oneOf, schema.items].flat().flatMap(marksIn)
}

/** The property and value that select an alternative, as `type` `emv`. */
function choiceName(discriminator: unknown, part: unknown): string | undefined {
  if (!isNode(discriminator) || !isNode(part)) return undefined
  const selector = fieldsIn(part, '', []).find(({ path }) => path === discriminator.propertyName)
  if (selector?.schema.const === undefined) return undefined
  return `\`${selector.path}\` is \`${selector.schema.const}\``
}

/**
 * Fields as a list, in which those of an object unfold. `labels` say whether a field may be
 * missing.
 */
export function fieldList(
  fields: readonly Field[],
  labels: readonly [string, string],
  within = '',
): string {
  const direct = fields.filter(({ path, name }) => path === within + name)
  const byName = Map.groupBy(direct, ({ name }) => name)
  // What only wraps others is open.
  const tag = byName.size <= 3 ? '<details open>' : '<details>'

  const items: string[] = []
  for (const [name, variants] of byName) {
    const parts = [fieldText(variants, labels)]
    const below = fieldList(fields, labels, `${within}${name}.`)
    if (below) parts.push(`${tag}${summaryOf(name, below)}`, below, '</details>')
    items.push(`- ${indented(paragraphs(parts))}`)
  }
  return items.join('\n')
}

/** The title of a list of fields that unfolds. */
function summaryOf(name: string, list: string): string {
  const count = list.match(/^- /gm)?.length
  const unit = count === 1 ? 'field' : 'fields'
  return `<summary>${count} ${unit} of <code>${name}</code></summary>`
}

function indented(text: string): string {
  return text.replaceAll(/\n(?=.)/g, '\n  ')
}

/** A field as its alternatives have it: `variants` are the fields of the same path. */
function fieldText(
  variants: readonly Field[],
  [required, optional]: readonly [string, string],
): string {
  const [first] = variants
  if (!first) return ''
  const { name, schema } = first

  const isRequired = variants.every((variant) => variant.isRequired)
  const form = [
    typeOf(schema),
    isRequired ? required : optional,
    alternativesText(variants),
    constantsText(variants),
    ...constraintsOf(schema),
  ]
  const title = `[\`${name}\`](/fields.md#${name}) ${form.filter(Boolean).join(' · ')}`
  return paragraphs(title, meaningsOf(variants))
}

/** Which alternatives have the field; nothing if all have it. */
function alternativesText(variants: readonly Field[]): string {
  const total = variants[0]?.choice?.of ?? 0
  if (variants.length >= total) return ''
  const names = variants.map(({ choice }) => choice?.name)
  return `only if ${names.join(' or ')}`
}

/** The constant values of a field. */
function constantsText(variants: readonly Field[]): string {
  const schemas = variants.map(({ schema }) => schema).filter((schema) => 'const' in schema)
  if (schemas.length === 0) return ''
  const constants = new Set(schemas.map((schema) => `\`${schema.const}\``))
  const intro = constants.size > 1 ? 'one of' : 'always'
  return `${intro} ${[...constants].join(', ')}`
}

/** What a field means, by alternative if they differ. */
function meaningsOf(variants: readonly Field[]): string[] {
  const byMeaning = [...Map.groupBy(variants, meaning)]
  if (byMeaning.length === 1) return byMeaning.map(([text]) => text)
  return byMeaning.map(([text, [variant]]) => `If ${variant?.choice?.name}: ${text}`)
}

/** The keywords that constrain a value, in words. */
function constraintsOf(schema: Node): string[] {
  const { pattern, default: preset } = schema
  const constraints = [
    range(schema.minLength, schema.maxLength, 'character'),
    range(schema.minItems, schema.maxItems, 'item'),
    range(schema.minimum, schema.maximum),
  ].filter((text) => text !== undefined)
  if (preset !== undefined) constraints.push(`default \`${preset}\``)
  if (pattern !== undefined) constraints.push(`pattern \`${pattern}\``)
  return constraints
}

function range(from: unknown, to: unknown, unit = ''): string | undefined {
  if (from === undefined && to === undefined) return undefined
  const units = unitText(unit, to ?? from)
  if (from === to) return `${from}${units}`
  if (to === undefined) return `at least ${from}${units}`
  if (from === undefined) return `at most ${to}${units}`
  return `${from} to ${to}${units}`
}

/** A unit behind its number, or nothing. */
function unitText(unit: string, count: unknown): string {
  if (!unit) return ''
  return count === 1 ? ` ${unit}` : ` ${unit}s`
}

function meaning({ schema, marks }: Field): string {
  const texts = [
    schema.deprecated === true ? '**Deprecated.**' : '',
    statements(schema, marks, prose),
    guideLink(schema['x-guide']),
  ]
  const values = [schema.enum ?? []].flat().map((value) => valueText(schema, value))
  return paragraphs(texts.filter(Boolean).join(' '), values.join('\n'))
}

/** A value of an enum, with its meaning if the contract has one. */
function valueText({ 'x-enumDescriptions': meanings }: Node, value: unknown): string {
  const code = value === '' ? '""' : value
  const text = isNode(meanings) ? meanings[String(value)] : undefined
  return text ? `- \`${code}\`: ${prose(text)}` : `- \`${code}\``
}

/** Leads from a field to the guide that explains it. */
export function guideLink(guide: unknown): string {
  if (typeof guide !== 'string') return ''
  return `[Learn more](/guides/${guide.replace(/^[^#]+/, '$&.md')})`
}

function typeOf(schema: Node): string {
  if (schema.type === 'array' && isNode(schema.items)) return `array of ${typeOf(schema.items)}`
  const type = typeName(schema)
  return schema.format ? `${type} (${schema.format})` : type
}

function typeName({ type, oneOf, anyOf, allOf }: Node): string {
  if (type !== undefined) return [type].flat().join(' or ')
  const parts = [oneOf, anyOf, allOf].flat().filter(isNode)
  if (parts.length === 0) return 'any'
  return [...new Set(parts.map(typeOf))].join(' or ')
}

/** The page of all fields by name: what each means, and which operations and events have it. */
export function fieldsPage(contract: Contract): string {
  const byName = Object.groupBy(declaredIn(contract).flatMap(placesIn), ({ field }) => field.name)
  const names = Object.keys(byName).sort((one, other) => one.localeCompare(other))
  return paragraphs(names.map((name) => fieldSection(name, byName[name] ?? [])))
}

/** A field, and a text that says where it is. */
interface FieldPlace {
  readonly field: Field
  readonly where: string
}

/** The fields of an operation, or of an event, which has no path. */
function placesIn(operation: Declared): FieldPlace[] {
  const { path, id } = operation
  return Object.entries(fieldsOfOperation(operation)).flatMap(([kind, fields]) => {
    const where = isEvent(operation)
      ? `{{event:${path}}} event`
      : `{{operation:${id}}} ${kind.replace(/s$/, '')}`
    return fields.map((field) => ({ field, where }))
  })
}

function fieldSection(name: string, places: readonly FieldPlace[]): string {
  const meanings = new Set(
    places.map(({ field }) => `- ${typeOf(field.schema)}. ${indented(meaning(field))}`),
  )
  const wheres = new Set(places.map(({ where }) => where))
  return paragraphs(
    `## ${name} {#${name}}`,
    [...meanings].join('\n'),
    `In ${[...wheres].join(', ')}.`,
  )
}
