import type { Declared } from '@partner-payments/contract'
import {
  type Body,
  contract,
  events,
  operations,
  type Reference,
  readName,
  resolve,
} from './contract.ts'

const { examples, headers, responses, schemas } = contract.components

type Responses = Readonly<Record<string, Body | Reference>>

/**
 * Prints the contract's examples as TypeScript, the export `fixtures` of this package: a constant
 * per operation or delivery, a getter per example. Each getter declares its type from the contract,
 * so that an invalid example does not compile.
 */
export function printFixtures(): string {
  const shared = Object.entries(responses).map(
    ([name, body]) => `const ${name} = ${printExamples(body)} as const\n`,
  )
  const exported = [...operations, ...events].map(printOperation)
  const text = [...shared, ...exported].join('\n')
  const types = Object.keys(schemas).filter((name) => text.includes(`(): ${name} {`))
  return `
import type { ${types.sort().join(', ')} } from './contract.ts'

${text}`
}

/** Prints the example headers of each response, by operationId and status. */
export function printHeaders(): string {
  const table: Record<string, unknown> = {}
  for (const { id, node } of operations) {
    table[id] = mapValues(node.responses as Responses, listHeaders)
  }
  return `
export const headers: Record<string, Record<string, Record<string, string>>> = ${JSON.stringify(table, undefined, 2)}
`
}

/** The example headers of one response, with its media type. */
function listHeaders(body: Body | Reference): Record<string, string> {
  const { headers: named = {}, content = {} } = resolve(body, responses)
  const examples = mapValues(named, (header) => resolve(header, headers).example)
  const [type] = Object.keys(content)
  if (!type) return examples
  return { 'content-type': type, ...examples }
}

/** Read from the node, since a response of several operations is printed once, by its reference. */
function printOperation({ id, summary, node }: Declared): string {
  const requestBody = node.requestBody as Body | undefined
  // A delivery accepts any success status.
  const statuses = Object.entries(node.responses as Responses).filter(
    ([status]) => status !== '2XX',
  )
  const responseRows = statuses.map(([status, body]) => printResponse(status, body))
  let fields = ''
  if (requestBody) fields += `request: ${printExamples(requestBody)},\n`
  if (responseRows.length > 0) fields += `response: {\n${indent(responseRows.join(''))}},\n`
  return `/** ${summary}: the examples of \`${id}\`, a new copy at each access. */
export const ${id} = {
${indent(fields)}} as const
`
}

/** Shared responses are printed once, under their name. */
function printResponse(status: string, body: Body | Reference): string {
  const isShared = '$ref' in body
  const examples = isShared ? readName(`${body.$ref}`) : printExamples(body as Body)
  return `${status}: ${examples},\n`
}

function printExamples(body: Body): string {
  const getters: string[] = []
  for (const { schema, examples: named = {} } of Object.values(body.content ?? {})) {
    for (const [name, example] of Object.entries(named)) {
      const { summary = '', value } = resolve(example, examples)
      getters.push(printGetter(name, summary, writeType(schema, value), value))
    }
  }
  return `{\n${indent(getters.join(''))}}`
}

function printGetter(name: string, summary: string, type: string, value: unknown): string {
  const json = JSON.stringify(value, undefined, 2).replaceAll('\n', '\n  ')
  return `/** ${summary.replaceAll('*/', '*\\/')} */
get ${name}(): ${type} {
  return ${json}
},
`
}

interface Discriminated {
  readonly discriminator?: {
    readonly propertyName: string
    readonly mapping: Readonly<Record<string, string>>
  }
}

/** A discriminated schema has the type of the branch that the example selects. */
function writeType(schema: Reference, value: unknown): string {
  const { discriminator } = resolve<Discriminated>(schema, schemas)
  if (!discriminator) return readName(schema.$ref)

  const kind = (value as Record<string, string>)[discriminator.propertyName] ?? ''
  return readName(discriminator.mapping[kind] ?? schema.$ref)
}

function indent(lines: string): string {
  return lines.replaceAll(/^(?=.)/gm, '  ')
}

function mapValues<T, U>(
  values: Readonly<Record<string, T>>,
  change: (value: T) => U,
): Record<string, U> {
  const changed: Record<string, U> = {}
  for (const [name, value] of Object.entries(values)) changed[name] = change(value)
  return changed
}
