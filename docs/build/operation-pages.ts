import type { Behaviour } from '@partner-payments/spec/behaviour'
import { EFFECTS } from '@partner-payments/spec/build'
import {
  type Contract,
  eventsOf,
  isNode,
  type Node,
  type Operation,
  operationsOf,
  resolve,
} from './contract.ts'
import { type Field, fieldOf, fieldsOf } from './fields.ts'
import { ownMarks, wholeMark } from './marks.ts'
import { requestExamples, type Sample } from './samples.ts'
import { assumption, codeBlock, prose, type Sources, table, toReference } from './text.ts'

type Input = Sources & { behaviour: Behaviour; samples: Map<string, Sample[]> }

/** The page of an operation: when to call it, samples, its fields, its errors. */
export function operationPage(operation: Operation, input: Input): string {
  const { node, method, path } = operation
  const { contract, samples } = input
  const id = node.operationId
  const links = [
    toReference(operation, 'Reference', input.root),
    // The console has the contract without the short paths.
    ...(node['x-alias-of'] ? [] : [`[Try it](${input.root}try.html?operation=${id}){target="_self"}`]),
  ]
  const { parameters, request, response } = fieldsOfOperation(operation, contract)
  return [
    `# ${node.summary} <small>${id}</small>`,
    `\`${method.toUpperCase()} ${path}\` ${marks(operation, input)}`,
    links.join(' · '),
    node.description,
    `**Effect: ${node['x-effect']}**, ${EFFECTS[node['x-effect'] ?? 'read']}.`,
    sampleGroup(samples.get(id) ?? []),
    ...otherExamples(operation, input),
    section('Parameters', parameters, input),
    section('Request fields', request, input),
    section('Response fields', response, input),
    errorCodes(id, input),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** One mark for all that is assumed of the operation itself and of its path. */
function marks({ node, path }: Operation, input: Input): string {
  const all = [...ownMarks(node), ...ownMarks(input.contract.paths[path] ?? {})]
  return questionMarks([...new Set(all.map(({ question }) => question))], input)
}

function questionMarks(questions: readonly string[], sources: Sources): string {
  return questions.map((id) => assumption(id, sources)).join(' ')
}

function sampleGroup(samples: readonly Sample[]): string {
  if (samples.length === 0) return ''
  const blocks = samples.map(({ lang, label, source }) => codeBlock(source, LANGUAGES[lang] ?? 'ts', label))
  return `::: code-group\n\n${blocks.join('\n\n')}\n\n:::`
}

/** The requests of the other examples. */
function otherExamples(operation: Operation, { contract, samples }: Input): string[] {
  const all = requestExamples(operation, contract, samples.get(operation.node.operationId) ?? [])
  const others = all.filter(({ isSample }) => !isSample)
  return others.map(
    ({ name, summary, samples }) => `:::: details ${summary ?? name}\n\n${sampleGroup(samples)}\n\n::::`,
  )
}

const LANGUAGES: Record<string, string> = { Shell: 'sh', Python: 'python' }

function section(title: string, fields: readonly Field[], sources: Sources): string {
  if (fields.length === 0) return ''
  const items = fields.map((field) => {
    const link = `[\`${field.path}\`](${sources.root}fields.md#${field.name})`
    const form = `<small>${field.type}${field.isRequired ? '' : ', optional'}</small>`
    return `- ${link} ${form}\n\n  ${meaning(field, sources)}`
  })
  return `## ${title}\n\n${items.join('\n')}`
}

function meaning({ description, values, meanings, guide, questions }: Field, sources: Sources): string {
  const list = values.map((it) => {
    const text = meanings[String(it)]
    return `\`${JSON.stringify(it)}\`${text ? ` ${prose(text).replace(/\.$/, '')}` : ''}`
  })
  const link =
    typeof guide === 'string' && `[Learn more](${sources.root}guides/${guide.replace(/^[^#]+/, '$&.md')})`
  return [
    prose(description),
    list.length > 0 && `Values: ${list.join('; ')}.`,
    link,
    questionMarks(questions, sources),
  ]
    .filter(Boolean)
    .join(' ')
}

function errorCodes(id: string, { behaviour, root }: Input): string {
  const rows = Object.entries(behaviour.refusals ?? {}).flatMap(([code, { when, responses = [] }]) => {
    const statuses = responses.filter((it) => it.operations.includes(id)).map(({ status }) => status)
    return statuses.length > 0
      ? [[`[\`${code}\`](${root}behaviour/errors.md#${code})`, statuses.join(', '), prose(when)]]
      : []
  })
  return rows.length > 0 ? `## Error codes\n\n${table(['Code', 'Status', 'When'], rows)}` : ''
}

/** The parameters of an operation, and the fields of its request and of its success. */
function fieldsOfOperation({ node, path }: Operation, contract: Contract) {
  const parameters = [contract.paths[path]?.parameters, node.parameters]
    .flat()
    .filter(isNode)
    .map((it) => {
      const parameter = typeof it.$ref === 'string' ? resolve(contract, it.$ref) : it
      const name = String(parameter.name)
      return fieldOf(
        name,
        parameter,
        { contract, path: name, inherited: undefined },
        parameter.required === true,
      )
    })
  const [success] = Object.entries(node.responses).filter(([status]) => status.startsWith('2'))
  return {
    parameters,
    request: bodyFields(node.requestBody, contract),
    response: bodyFields(success?.[1], contract),
  }
}

function bodyFields(body: unknown, contract: Contract): Field[] {
  if (!isNode(body)) return []
  const node = typeof body.$ref === 'string' ? resolve(contract, body.$ref) : body
  const [media] = Object.values(isNode(node.content) ? node.content : {})
  return isNode(media) ? fieldsOf(media.schema, contract, wholeMark(node)) : []
}

/** The page of all fields by name: what each means, and which operations and events have it. */
export function fieldsPage(sources: Sources): string {
  const { contract, root } = sources
  const places = [
    ...operationsOf(contract).flatMap((operation) => {
      const { parameters, request, response } = fieldsOfOperation(operation, contract)
      const { operationId } = operation.node
      const where = (text: string) => `[\`${operationId}\`](${root}operations/${operationId}.md) ${text}`
      return [
        ...parameters.map((field) => ({ field, where: where('parameter') })),
        ...request.map((field) => ({ field, where: where('request') })),
        ...response.map((field) => ({ field, where: where('response') })),
      ]
    }),
    ...eventsOf(contract).flatMap((event) =>
      bodyFields((event.node as Node).requestBody, contract).map((field) => ({
        field,
        where: toReference(event, `\`${event.path}\` event`, root),
      })),
    ),
  ]
  const byName = Object.entries(Object.groupBy(places, ({ field }) => field.name)).sort(([a], [b]) =>
    a.localeCompare(b),
  )
  return [
    '# Fields',
    'Every field and parameter of the contract, by name: what it means, and where it appears.',
    ...byName.map(([name, all = []]) => {
      const meanings = new Set(all.map(({ field }) => `- ${field.type}. ${meaning(field, sources)}`))
      const wheres = [...new Set(all.map(({ where }) => where))]
      return `## ${name} {#${name}}\n\n${[...meanings].join('\n')}\n\nIn ${wheres.join(', ')}.`
    }),
  ].join('\n\n')
}
