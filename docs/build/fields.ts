import {
  type Contract,
  eventsOf,
  isNode,
  type Mark,
  marksIn,
  mediaOf,
  type Node,
  type Operation,
  operationsOf,
  wholeMark,
} from './contract.ts'
import { assumptions, paragraphs, prose } from './text.ts'

/** A field or parameter. `path` says where it is inside a body. */
export interface Field {
  readonly name: string
  readonly path: string
  readonly schema: Node
  readonly isRequired: boolean
  readonly marks: readonly Mark[]
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

/** The success of an operation: its status and its response. */
export function successOf({ node }: Operation): [status: string, response: Node] {
  const found = Object.entries(node.responses).find(([status]) => status.startsWith('2'))
  return found ?? ['', {}]
}

/**
 * The parameters of an operation, and the fields of its request and its success, of an inlined
 * contract.
 */
export function fieldsOfOperation(operation: Operation) {
  const { node, item } = operation
  const [, success] = successOf(operation)
  const headers = Object.entries(isNode(success.headers) ? success.headers : {})
  return {
    parameters: [item.parameters, node.parameters].flat().filter(isNode).map(parameterField),
    request: bodyFields(node.requestBody),
    response: bodyFields(success),
    headers: headers.map(([name, header]) =>
      parameterField({ name, in: 'header', ...(header as Node) }),
    ),
  }
}

function parameterField(parameter: Node): Field {
  const name = String(parameter.name)
  const schema = { ...(isNode(parameter.schema) && parameter.schema), ...parameter }
  const isRequired = parameter.required === true
  return { name, path: name, schema, isRequired, marks: marksIn(parameter) }
}

/** Every field of a body, those of objects and arrays in it included. */
function bodyFields(body: unknown): Field[] {
  const whole = marksIn(body).filter(({ keyword }) => !keyword)
  const fields = fieldsIn(mediaOf(body).schema, '', whole)
  return [
    ...new Map(fields.map((field) => [`${field.path} ${field.choice?.name}`, field])).values(),
  ]
}

/** `around` are the marks of what is assumed with all that is in it. */
function fieldsIn(
  schema: unknown,
  parent: string,
  around: readonly Mark[],
  choice?: Choice,
): Field[] {
  if (!isNode(schema)) return []
  const inherited = wholeMark(schema) ? marksIn(schema).filter(({ keyword }) => !keyword) : around
  const properties = Object.entries(isNode(schema.properties) ? schema.properties : {})
  return [
    ...[schema.allOf, schema.anyOf]
      .flat()
      .flatMap((part) => fieldsIn(part, parent, inherited, choice)),
    ...[schema.oneOf ?? []].flat().flatMap((part, _, { length }) => {
      const name = choiceName(schema.discriminator, part)
      return fieldsIn(part, parent, inherited, name ? { name, of: length } : choice)
    }),
    ...fieldsIn(schema.items, parent, inherited, choice),
    ...properties.flatMap(([name, property]) => {
      const path = parent ? `${parent}.${name}` : name
      const isRequired = [schema.required].flat().includes(name)
      const own = fieldMarks(property as Node)
      const marks = own.length > 0 ? own : inherited
      return [
        { name, path, schema: property as Node, isRequired, marks, choice },
        ...fieldsIn(property, path, inherited, choice),
      ]
    }),
  ]
}

/** The marks of a field, those of its alternatives included. */
function fieldMarks(schema: Node): Mark[] {
  return [schema, schema.anyOf, schema.oneOf, schema.items].flat().flatMap(marksIn)
}

/** The property and value that select an alternative, as `type` `emv`. */
function choiceName(discriminator: unknown, part: unknown): string | undefined {
  if (!isNode(discriminator) || !isNode(part)) return undefined
  const [selector] = fieldsIn(part, '', []).filter(
    ({ path }) => path === discriminator.propertyName,
  )
  return selector?.schema.const === undefined
    ? undefined
    : `\`${selector.path}\` is \`${selector.schema.const}\``
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
  const own = Map.groupBy(
    fields.filter(({ path, name }) => path === within + name),
    ({ name }) => name,
  )
  const items = [...own].map(([name, all]) => {
    const below = fieldList(fields, labels, `${within}${name}.`)
    const count = below.match(/^- /gm)?.length
    // What only wraps others is open.
    const tag = own.size <= 3 ? '<details open>' : '<details>'
    const title = `<summary>${count} ${count === 1 ? 'field' : 'fields'} of <code>${name}</code></summary>`
    const text = paragraphs(
      fieldText(all, labels),
      below && [`${tag}${title}`, below, '</details>'],
    )
    return `- ${indented(text)}`
  })
  return items.join('\n')
}

function indented(text: string): string {
  return text.replaceAll(/\n(?=.)/g, '\n  ')
}

function fieldText(all: readonly Field[], [required, optional]: readonly [string, string]): string {
  const [{ name, schema, choice } = all[0] as Field] = all
  const names = all.map((it) => it.choice?.name)
  const constants = new Set(
    all.flatMap((it) => ('const' in it.schema ? [`\`${it.schema.const}\``] : [])),
  )
  const form = [
    typeOf(schema),
    all.every(({ isRequired }) => isRequired) ? required : optional,
    choice && all.length < choice.of && `only if ${names.join(' or ')}`,
    constants.size > 0 &&
      `${constants.size > 1 ? 'one of' : 'always'} ${[...constants].join(', ')}`,
    ...constraintsOf(schema),
  ]
  const texts = [...Map.groupBy(all, meaning)]
  const text = texts.map(([it, [own]]) =>
    texts.length > 1 ? `If ${own?.choice?.name}: ${it}` : it,
  )
  return paragraphs(`[\`${name}\`](/fields.md#${name}) ${form.filter(Boolean).join(' · ')}`, text)
}

/** The keywords that constrain a value, in words. */
function constraintsOf({ pattern, default: preset, ...schema }: Node): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema
  return [
    range(minLength, maxLength, 'character'),
    range(minItems, maxItems, 'item'),
    range(minimum, maximum),
    preset !== undefined && `default \`${preset}\``,
    pattern !== undefined && `pattern \`${pattern}\``,
  ].filter((it) => typeof it === 'string')
}

function range(from: unknown, to: unknown, unit = ''): string | undefined {
  if (from === undefined && to === undefined) return undefined
  const units = unit && ` ${unit}${(to ?? from) === 1 ? '' : 's'}`
  if (from === to || to === undefined) return `${from === to ? '' : 'at least '}${from}${units}`
  return `${from === undefined ? 'at most' : `${from} to`} ${to}${units}`
}

function meaning({ schema, marks }: Field): string {
  const { description, 'x-enumDescriptions': meanings, 'x-guide': guide } = schema
  const values = [schema.enum ?? []].flat().map((it) => {
    const text = isNode(meanings) && meanings[String(it)]
    return `- \`${it === '' ? '""' : it}\`${text ? `: ${prose(text)}` : ''}`
  })
  const text = [prose(description), guideLink(guide), assumptions(marks)].filter(Boolean).join(' ')
  return paragraphs(text, values.join('\n'))
}

/** Leads from a field to the guide that explains it. */
export function guideLink(guide: unknown): string {
  return typeof guide === 'string'
    ? `[Learn more](/guides/${guide.replace(/^[^#]+/, '$&.md')})`
    : ''
}

function typeOf(schema: Node): string {
  if (schema.type === 'array' && isNode(schema.items)) return `array of ${typeOf(schema.items)}`
  const parts = [schema.oneOf, schema.anyOf, schema.allOf].flat().filter(isNode).map(typeOf)
  const type = [schema.type ?? (parts.length > 0 ? [...new Set(parts)] : 'any')].flat().join(' or ')
  return schema.format ? `${type} (${schema.format})` : type
}

/** The page of all fields by name: what each means, and which operations and events have it. */
export function fieldsPage(contract: Contract): string {
  const places = [...operationsOf(contract), ...eventsOf(contract)].flatMap((operation) => {
    const { path, node } = operation
    const isEvent = !path.startsWith('/')
    return Object.entries(fieldsOfOperation(operation)).flatMap(([kind, fields]) => {
      const own = `{{operation:${node.operationId}}} ${kind.replace(/s$/, '')}`
      return fields.map((field) => ({ field, where: isEvent ? `{{event:${path}}} event` : own }))
    })
  })
  const byName = Object.entries(Object.groupBy(places, ({ field }) => field.name))
  return paragraphs(
    byName
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, all = []]) => {
        const meanings = new Set(
          all.map(({ field }) => `- ${typeOf(field.schema)}. ${indented(meaning(field))}`),
        )
        const wheres = new Set(all.map(({ where }) => where))
        return `## ${name} {#${name}}\n\n${[...meanings].join('\n')}\n\nIn ${[...wheres].join(', ')}.`
      }),
  )
}
