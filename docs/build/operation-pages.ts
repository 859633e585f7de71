import type { Behaviour } from '@partner-payments/spec/behaviour'
import { EFFECTS } from '@partner-payments/spec/build'
import {
  type Contract,
  eventsOf,
  isNode,
  type Mark,
  marksIn,
  type Node,
  type Operation,
  operationsOf,
  referenceLink,
  wholeMark,
} from './contract.ts'
import { requestExamples, type Sample } from './samples.ts'
import { assumptions, codeBlock, fieldAssumptions, paragraphs, prose, table, withCode } from './text.ts'

/** Of an inlined contract. */
interface Input {
  readonly behaviour: Behaviour
  readonly samples: Map<string, Sample[]>
}

/** The page of an operation: when to call it, samples, its fields, its errors. */
export function operationPage(operation: Operation, { behaviour, samples }: Input): string {
  const { node, method, path } = operation
  const own = samples.get(node.operationId) ?? []
  const others = requestExamples(operation, own).filter(({ isSample }) => !isSample)
  const { parameters, request, response } = fieldsOfOperation(operation)
  return paragraphs(
    `# ${node.summary} <small>${node.operationId}</small>`,
    `\`${method.toUpperCase()} ${path}\``,
    about(operation, `[Reference](/${referenceLink(operation)}){target="_self"}`),
    sampleGroup(own),
    others.map(
      ({ name, summary, samples }) => `:::: details ${summary ?? name}\n\n${sampleGroup(samples)}\n\n::::`,
    ),
    section('Parameters', parameters),
    section('Request fields', request),
    section('Response fields', response),
    errorCodes(operation, behaviour, '## Error codes'),
  )
}

/** What the page and the reference say of an operation before its fields. */
export function about({ node, item }: Operation, link = ''): string {
  const [description] = String(node.description ?? '').split('Refused (assumed):')
  const alias = node['x-alias-of']
  const effect = node['x-effect']
  if (!effect) throw new Error(`${node.operationId} has no x-effect`)
  // The console has the contract without the short paths.
  const console = alias ? '' : `[Try it](/try.html?operation=${node.operationId}){target="_self"}`
  return paragraphs(
    [link, console].filter(Boolean).join(' · '),
    withCode(description?.trim() ?? ''),
    alias && `A short path of {{operation:${alias}}}. It is not known whether the service serves it.`,
    `**Effect: ${effect}**, ${EFFECTS[effect]}. ${assumptions([...marksIn(node), ...marksIn(item)])}`,
  )
}

/** The codes of an operation's error responses. */
export function errorCodes({ node }: Operation, { refusals = {} }: Behaviour, title: string): string {
  const errors = Object.entries(node.responses).filter(([status]) => status >= '400')
  const marks = errors.flatMap(([, response]) => marksIn(response).filter(({ keyword }) => !keyword))
  const id = String(node['x-alias-of'] ?? node.operationId)
  const rows = Object.entries(refusals).flatMap(([code, { when, responses = [] }]) => {
    const statuses = responses
      .filter((it) => it.operations.includes(id) && it.status in node.responses)
      .map((it) => it.status)
    return statuses.length > 0 ? [[`{{error:${code}}}`, statuses.join(', '), prose(when)]] : []
  })
  return table(`${title}\n\nAll of them are assumed. ${assumptions(marks)}`, ['Code', 'Status', 'When'], rows)
}

function sampleGroup(samples: readonly Sample[]): string {
  const blocks = samples.map(({ lang, label, source }) => codeBlock(source, LANGUAGES[lang], label))
  return `::: code-group\n\n${blocks.join('\n\n')}\n\n:::`
}

const LANGUAGES: Record<string, string> = { Shell: 'sh', TypeScript: 'ts', Python: 'python' }

/** A field or parameter; `path` says where it is inside a body. */
interface Field {
  readonly name: string
  readonly path: string
  readonly schema: Node
  readonly isRequired: boolean
  readonly marks: readonly Mark[]
  readonly choice?: Choice | undefined
}

/** The alternative of a schema that has a field, by the value that selects it, and how many alternatives there are. */
interface Choice {
  readonly name: string
  readonly of: number
}

/** The parameters of an operation, and the fields of its request and of its success. */
function fieldsOfOperation({ node, item }: Operation) {
  const parameters = [item.parameters, node.parameters].flat().filter(isNode).map(parameterField)
  const [success] = Object.entries(node.responses).filter(([status]) => status.startsWith('2'))
  return { parameters, request: bodyFields(node.requestBody), response: bodyFields(success?.[1]) }
}

function parameterField(parameter: Node): Field {
  const name = String(parameter.name)
  const schema = { ...(isNode(parameter.schema) && parameter.schema), ...parameter }
  return { name, path: name, schema, isRequired: parameter.required === true, marks: marksIn(parameter) }
}

/** Every field of a body, those of objects and arrays in it included. */
function bodyFields(body: unknown): Field[] {
  const [media] = isNode(body) && isNode(body.content) ? Object.values(body.content) : []
  if (!isNode(media)) return []
  const whole = marksIn(body).filter(({ keyword }) => !keyword)
  const fields = fieldsIn(media.schema, '', whole)
  return [...new Map(fields.map((field) => [`${field.path} ${field.choice?.name}`, field])).values()]
}

/** `around` are the marks of what is assumed with all that is in it. */
function fieldsIn(schema: unknown, path: string, around: readonly Mark[], choice?: Choice): Field[] {
  if (!isNode(schema)) return []
  const inherited = wholeMark(schema) ? marksIn(schema).filter(({ keyword }) => !keyword) : around
  const properties = Object.entries(isNode(schema.properties) ? schema.properties : {})
  return [
    ...[schema.allOf, schema.anyOf].flat().flatMap((part) => fieldsIn(part, path, inherited, choice)),
    ...[schema.oneOf ?? []].flat().flatMap((part, _, { length }) => {
      const name = choiceName(schema.discriminator, part)
      return fieldsIn(part, path, inherited, name ? { name, of: length } : choice)
    }),
    ...fieldsIn(schema.items, path && `${path}[]`, inherited, choice),
    ...properties.flatMap(([name, property]) => {
      const at = path ? `${path}.${name}` : name
      const isRequired = [schema.required].flat().includes(name)
      const marks = marksIn(property).length > 0 ? marksIn(property) : inherited
      return [
        { name, path: at, schema: property as Node, isRequired, marks, choice },
        ...fieldsIn(property, at, inherited, choice),
      ]
    }),
  ]
}

/** The property and value that select an alternative, as `type` `emv`. */
function choiceName(discriminator: unknown, part: unknown): string | undefined {
  if (!isNode(discriminator) || !isNode(part)) return undefined
  const [selector] = fieldsIn(part, '', []).filter(({ path }) => path === discriminator.propertyName)
  return selector?.schema.const === undefined
    ? undefined
    : `\`${selector.path}\` is \`${selector.schema.const}\``
}

function section(title: string, fields: readonly Field[]): string {
  const items = [...Map.groupBy(fields, ({ path }) => path)].map(([path, all]) => {
    const [{ name, schema, choice } = all[0] as Field] = all
    const names = all.map((it) => it.choice?.name)
    const form = [
      typeOf(schema),
      ...(all.every(({ isRequired }) => isRequired) ? [] : ['optional']),
      ...(choice && all.length < choice.of ? [`only if ${names.join(' or ')}`] : []),
    ]
    const texts = [...Map.groupBy(all, meaning)]
    const text = texts.map(([it, [own]]) => (texts.length > 1 ? `If ${own?.choice?.name}: ${it}` : it))
    return `- [\`${path}\`](/fields.md#${name}) ${form.join(', ')}\n\n  ${text.join(' ')}`
  })
  return items.length > 0 ? `## ${title}\n\n${items.join('\n')}` : ''
}

function meaning({ schema, marks }: Field): string {
  const { description, 'x-enumDescriptions': meanings, 'x-guide': guide } = schema
  const values = [schema.enum ?? []].flat().map((it) => {
    const text = isNode(meanings) && meanings[String(it)]
    return `\`${JSON.stringify(it)}\`${text ? ` ${prose(text).replace(/\.$/, '')}` : ''}`
  })
  const bare = marks.map(({ question, pointer }) => ({ question, pointer }))
  const parts = [
    prose(description),
    values.length > 0 && `Values: ${values.join('; ')}.`,
    guideLink(guide),
    fieldAssumptions(bare),
  ]
  return parts.filter(Boolean).join(' ')
}

/** Leads from a field to the guide that explains it. */
export function guideLink(guide: unknown): string {
  return typeof guide === 'string' ? `[Learn more](/guides/${guide.replace(/^[^#]+/, '$&.md')})` : ''
}

function typeOf(schema: Node): string {
  if (schema.type === 'array' && isNode(schema.items)) return `array of ${typeOf(schema.items)}`
  const [first] = [schema.allOf, schema.oneOf, schema.anyOf].flat().filter(isNode)
  const type = [schema.type ?? (first ? typeOf(first) : 'any')].flat().join(' or ')
  return schema.format ? `${type} (${schema.format})` : type
}

/** The page of all fields by name: what each means, and which operations and events have it. */
export function fieldsPage(contract: Contract): string {
  const places = [
    ...operationsOf(contract).flatMap((operation) =>
      Object.entries(fieldsOfOperation(operation)).flatMap(([kind, fields]) => {
        const where = `{{operation:${operation.node.operationId}}} ${kind.replace(/s$/, '')}`
        return fields.map((field) => ({ field, where }))
      }),
    ),
    ...eventsOf(contract).flatMap((event) => {
      const where = `[\`${event.path}\` event](/${referenceLink(event)}){target="_self"}`
      return bodyFields(event.node.requestBody).map((field) => ({ field, where }))
    }),
  ]
  const byName = Object.entries(Object.groupBy(places, ({ field }) => field.name))
  return paragraphs(
    '# Fields',
    'Every field and parameter of the contract, by name: what it means, and where it appears.',
    byName
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, all = []]) => {
        const meanings = new Set(all.map(({ field }) => `- ${typeOf(field.schema)}. ${meaning(field)}`))
        const wheres = new Set(all.map(({ where }) => where))
        return `## ${name} {#${name}}\n\n${[...meanings].join('\n')}\n\nIn ${[...wheres].join(', ')}.`
      }),
  )
}
