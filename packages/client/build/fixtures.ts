import {
  type Body,
  contract,
  nameIn,
  operationsIn,
  type RawOperation,
  type Reference,
  resolve,
} from './contract.ts'

const { examples, headers, responses, schemas } = contract.components

/**
 * Prints the contract's examples as TypeScript, the export `fixtures` of this package: a constant
 * per operation or delivery, a getter per example. Each getter declares its type from the contract,
 * so that an invalid example does not compile.
 */
export function printFixtures(): string {
  const shared = Object.entries(responses).map(
    ([name, body]) => `const ${name} = ${printExamples(body)} as const\n`,
  )
  const items = { ...contract.paths, ...contract.webhooks }
  const exported = operationsIn(items).map(([, , operation]) => printOperation(operation))
  const text = [...shared, ...exported].join('\n')
  const types = Object.keys(schemas).filter((name) => text.includes(`(): ${name} {`))
  return `
import type { ${types.sort().join(', ')} } from './contract.ts'

${text}`
}

/** Prints the example headers of each response, by operationId and status. */
export function printHeaders(): string {
  const headersOf = (body: Body | Reference) => {
    const { headers: named = {}, content = {} } = resolve(body, responses)
    const [type] = Object.keys(content)
    const own = mapValues(named, (header) => resolve(header, headers).example)
    return { ...(type && { 'content-type': type }), ...own }
  }
  const rows = operationsIn(contract.paths).map(([, , { operationId, responses }]) => [
    operationId,
    mapValues(responses, headersOf),
  ])
  const table = JSON.stringify(Object.fromEntries(rows), undefined, 2)
  return `
export const headers: Record<string, Record<string, Record<string, string>>> = ${table}
`
}

function printOperation({ operationId, summary, requestBody, responses }: RawOperation): string {
  // A delivery accepts any success status.
  const statuses = Object.entries(responses).filter(([status]) => status !== '2XX')
  const request = requestBody ? `request: ${printExamples(requestBody)},\n` : ''
  const response =
    statuses.length > 0 ? `response: {\n${indent(statuses.map(printResponse).join(''))}},\n` : ''
  const body = indent(request + response)
  return `/** ${summary}: the examples of \`${operationId}\`, a new copy at each access. */\nexport const ${operationId} = {\n${body}} as const\n`
}

/** Shared responses are printed once, under their name. */
function printResponse([status, body]: [string, Body | Reference]): string {
  return `${status}: ${'$ref' in body ? nameIn(`${body.$ref}`) : printExamples(body as Body)},\n`
}

function printExamples(body: Body): string {
  const getters = Object.values(body.content ?? {}).flatMap(({ schema, examples: named = {} }) =>
    Object.entries(named).map(([name, example]) => {
      const { summary = '', value } = resolve(example, examples)
      return `/** ${summary.replaceAll('*/', '*\\/')} */
get ${name}(): ${typeOf(schema, value)} {
  return ${JSON.stringify(value, undefined, 2).replaceAll('\n', '\n  ')}
},
`
    }),
  )
  return `{\n${indent(getters.join(''))}}`
}

interface Discriminated {
  readonly discriminator?: {
    readonly propertyName: string
    readonly mapping: Readonly<Record<string, string>>
  }
}

/** A discriminated schema has the type of the branch that the example selects. */
function typeOf(schema: Reference, value: unknown): string {
  const { discriminator } = resolve<Discriminated>(schema, schemas)
  const kind = discriminator && (value as Record<string, string>)[discriminator.propertyName]
  return nameIn(discriminator?.mapping[kind ?? ''] ?? schema.$ref)
}

function indent(lines: string): string {
  return lines.replaceAll(/^(?=.)/gm, '  ')
}

function mapValues<T, U>(
  values: Readonly<Record<string, T>>,
  change: (value: T) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
