interface Reference {
  readonly $ref: string
}

interface Example {
  readonly summary?: string
  readonly value: unknown
}

interface Schema {
  readonly discriminator?: {
    readonly propertyName: string
    readonly mapping: Readonly<Record<string, string>>
  }
}

interface Body {
  readonly headers?: Readonly<Record<string, Reference>>
  readonly content?: Readonly<
    Record<string, { readonly schema: Reference; readonly examples?: Readonly<Record<string, Reference>> }>
  >
}

interface RawOperation {
  readonly operationId: string
  readonly summary: string
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body | Reference>>
}

type PathItem = Readonly<Record<string, RawOperation | string>>

/** The part of the contract that the fixtures use. */
export interface Contract {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly webhooks: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly examples: Readonly<Record<string, Example>>
    readonly headers: Readonly<Record<string, { readonly example: string }>>
    readonly responses: Readonly<Record<string, Body>>
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

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
  const items = Object.values({ ...contract.paths, ...contract.webhooks })
  const exported = items.flatMap(operationsIn).map(printer.printOperation)
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
  const rows = Object.values(paths)
    .flatMap(operationsIn)
    .map(({ operationId, responses }) => [operationId, mapValues(responses, headersOf)])
  const table = JSON.stringify(Object.fromEntries(rows), undefined, 2)
  return `
export const headers: Record<string, Record<string, Record<string, string>>> = ${table}
`
}

function printerOf({ components: { examples, schemas } }: Contract) {
  /** The names to import. */
  const types = new Set<string>()

  /** A discriminated schema has the type of the branch that the example selects. */
  function typeOf(schema: Reference, value: unknown): string {
    const { discriminator } = resolve(schema, schemas)
    const kind = discriminator && (value as Record<string, string>)[discriminator.propertyName]
    const name = nameIn(discriminator?.mapping[kind ?? ''] ?? schema.$ref)
    types.add(name)
    return name
  }

  function getter(name: string, { summary = '', value }: Example, schema: Reference): string {
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
    return `${status}: ${'$ref' in body ? nameIn(body.$ref) : printExamples(body)},\n`
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

function operationsIn(item: PathItem): RawOperation[] {
  return Object.values(item).filter((value) => typeof value === 'object' && 'operationId' in value)
}

function resolve<T extends object>(value: T | Reference, named: Readonly<Record<string, T>>): T {
  const found = '$ref' in value ? named[nameIn(value.$ref)] : value
  if (!found) throw new Error(`the contract has no ${JSON.stringify(value)}`)
  return found as T
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

function mapValues<T, U>(values: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
