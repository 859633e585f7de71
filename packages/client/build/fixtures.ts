import {
  type Body,
  type Contract,
  nameIn,
  operationsIn,
  type RawOperation,
  type Reference,
  resolve,
} from './contract.ts'

/**
 * Prints the contract's examples as TypeScript, the export `fixtures` of this package: a constant per operation or
 * delivery, a getter per example. Each getter declares its type from the contract, so that an invalid example does not
 * compile.
 */
export function printFixtures(contract: Contract): string {
  const printer = printerOf(contract)
  const { responses } = contract.components
  const shared = Object.entries(responses).map(
    ([name, body]) => `const ${name} = ${printer.printExamples(body)} as const\n`,
  )
  const items = { ...contract.paths, ...contract.webhooks }
  const exported = operationsIn(items).map(([, , operation]) => printer.printOperation(operation))
  const imported = [...printer.types].sort().join(', ')
  return `
import type { ${imported} } from './contract.ts'

${[...shared, ...exported].join('\n')}`
}

/** Prints the example headers of each response, by operationId and status. */
export function printHeaders({ paths, components }: Contract): string {
  const headersOf = (body: Body | Reference) => {
    const { headers = {}, content = {} } = resolve(body, components.responses)
    const named = mapValues(headers, (header) => resolve(header, components.headers).example)
    const [type] = Object.keys(content)
    return { ...(type && { 'content-type': type }), ...named }
  }
  const rows = operationsIn(paths).map(([, , { operationId, responses }]) => [
    operationId,
    mapValues(responses, headersOf),
  ])
  const table = JSON.stringify(Object.fromEntries(rows), undefined, 2)
  return `
export const headers: Record<string, Record<string, Record<string, string>>> = ${table}
`
}

type Examples = Contract['components']['examples']

interface Discriminated {
  readonly discriminator?: {
    readonly propertyName: string
    readonly mapping: Readonly<Record<string, string>>
  }
}

function printerOf({ components: { examples, schemas } }: Contract) {
  /** The names to import. */
  const types = new Set<string>()

  /** A discriminated schema has the type of the branch that the example selects. */
  function typeOf(schema: Reference, value: unknown): string {
    const { discriminator } = resolve<Discriminated>(schema, schemas)
    const kind = discriminator && (value as Record<string, string>)[discriminator.propertyName]
    const name = nameIn(discriminator?.mapping[kind ?? ''] ?? schema.$ref)
    types.add(name)
    return name
  }

  function getter(name: string, { summary = '', value }: Examples[string], schema: Reference): string {
    const body = JSON.stringify(value, undefined, 2)
    return `/** ${summary.replaceAll('*/', '*\\/')} */
get ${name}(): ${typeOf(schema, value)} {
  return ${body.replaceAll('\n', '\n  ')}
},
`
  }

  function printExamples(body: Body): string {
    const getters = Object.values(body.content ?? {}).flatMap(({ schema, examples: named = {} }) =>
      Object.entries(named).map(([name, example]) => getter(name, resolve(example, examples), schema)),
    )
    return `{\n${indent(getters.join(''))}}`
  }

  /** Shared responses are printed once, under their name. */
  function printResponse([status, body]: [string, Body | Reference]): string {
    return `${status}: ${'$ref' in body ? nameIn(`${body.$ref}`) : printExamples(body as Body)},\n`
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

  return { types, printExamples, printOperation }
}

function indent(lines: string): string {
  return lines.replaceAll(/^(?=.)/gm, '  ')
}

function mapValues<T, U>(values: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
