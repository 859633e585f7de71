import { createValidator, type NotFound, type Validator } from '@partner-payments/validator'
import { createLogger } from '@stoplight/prism-core'
import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { forGenerator } from './generate-response.ts'
import type {
  DeclaredResponse,
  Echoes,
  Example,
  MockResponse,
  Operation,
  Preference,
} from './operation.ts'
import { problemType } from './problems.ts'

// Only this file uses Prism, so that its types and those of fp-ts stay here.
type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number]
type PrismRequest = Parameters<ReturnType<typeof createInstance>['request']>[0]

const logger = createLogger('prism', { level: 'silent' })

/** The operations of all documents. */
export interface Operations {
  readonly all: readonly Operation[]
  /**
   * Finds an operation by method and path, else the methods of the path. Trailing slashes matter.
   */
  find(method: string, path: string): Operation | Omit<NotFound, 'found'>
}

/**
 * Reads the operations of one or more documents. Does not modify the documents.
 *
 * @throws {Error} when a document is not OpenAPI 3.1, a reference in it cannot be resolved, or two
 *   documents describe the same method and path
 */
export async function loadOperations(documents: readonly object[]): Promise<Operations> {
  const read = await Promise.all(documents.map(operationsOf))
  const all = read.flatMap(({ operations }) => [...operations.values()])
  const calls = all.map(({ method, path }) => `${method} ${path}`)
  const repeated = calls.find((call, index) => calls.indexOf(call) < index)
  if (repeated) throw new Error(`two documents describe ${repeated}; leave one of them out`)
  return {
    all,
    find(method, path) {
      const missing: NotFound[] = []
      for (const { validator, operations } of read) {
        const result = validator.findOperation(method, path)
        if (!result.found) missing.push(result)
        const operation = result.found && operations.get(result.operation)
        if (operation) return operation
      }
      const allow = missing.flatMap((it) => it.allow)
      const otherSlash = missing.find((it) => it.otherSlash)?.otherSlash
      return { status: allow.length > 0 ? 405 : 404, allow, otherSlash }
    },
  }
}

async function operationsOf(contract: object) {
  const version = 'openapi' in contract ? String(contract.openapi) : 'none'
  if (!version.startsWith('3.1.'))
    throw new Error(`the contract must be OpenAPI 3.1, got ${version}`)
  const validator = createValidator(contract)
  // By default, Prism assumes draft 7 and adds its own pattern to every format: byte.
  const prism = await getHttpOperationsFromSpec({ ...structuredClone(contract), jsonSchemaDialect })
  const operations = validator.operations.map((of) => {
    const own = prism.find((it) => it.method.toUpperCase() === of.method && it.path === of.path)
    if (!own) throw new Error(`Prism does not find ${of.method} ${of.path}`)
    return [of, toOperation(own, of, validator)] as const
  })
  return { validator, operations: new Map(operations) }
}

/** The dialect of OpenAPI 3.1 schemas, without extensions. */
const jsonSchemaDialect = 'https://json-schema.org/draft/2020-12/schema'

function toOperation(
  prism: PrismOperation,
  of: Validator['operations'][number],
  validator: Validator,
): Operation {
  const { method, path } = of
  const contents = prism.request?.body?.contents ?? []
  const generatable = forGenerator(prism)
  return {
    id: of.id ?? `${method} ${path}`,
    method,
    path,
    scheme: schemeOf(prism),
    takesBody: contents.length > 0,
    echoes: (prism.extensions?.['x-echoes'] ?? {}) as Echoes,
    requestExamples: contents.flatMap(examplesOf),
    responses: prism.responses.map(toDeclaredResponse),
    findingsIn(request, body) {
      const { pathname, search: query } = new URL(request.url)
      return validator.validateRequest({
        method,
        path: pathname,
        query,
        headers: request.headers,
        body,
      })
    },
    findingsInResponse: (response) => validator.validateResponse(of, response),
    sample: (preference) => sample(preference.dynamic ? generatable : prism, preference),
  }
}

async function sample(operation: PrismOperation, preference: Preference): Promise<MockResponse> {
  const { code, example, dynamic = false } = preference
  const mock = { dynamic, ...(code && { code }), ...(example && { exampleKey: example }) }
  const off = {
    errors: false,
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
  }
  const prism = createInstance(
    { ...off, isProxy: false, upstreamProxy: undefined, mock },
    { logger },
  )
  // Prism routes it to this operation. Without `accept`, which the service ignores.
  const request: PrismRequest = {
    method: operation.method as PrismRequest['method'],
    url: { path: operation.path },
  }
  const result = await prism.request(request, [operation])()
  if (result._tag === 'Left') throw result.left
  const { output } = result.right
  const { 'Content-type': type, ...rest } = output.headers ?? {}
  // Prism sets text/plain on a response without a body.
  const headers =
    output.body === undefined ? rest : { ...rest, 'content-type': type ?? 'application/json' }
  return { status: output.statusCode, headers, body: output.body }
}

function toDeclaredResponse({
  code,
  contents = [],
}: PrismOperation['responses'][number]): DeclaredResponse {
  const problem = contents.some(({ mediaType }) => mediaType === problemType)
  return { status: Number(code), problem, examples: contents.flatMap(examplesOf) }
}

function examplesOf({ examples = [] }: { examples?: object[] }): Example[] {
  return examples.flatMap((example) =>
    'key' in example && 'value' in example
      ? [{ name: String(example.key), value: example.value }]
      : [],
  )
}

function schemeOf({ security = [] }: PrismOperation): string | undefined {
  const scheme = security.flat().find(({ type }) => type === 'http')
  return scheme && 'scheme' in scheme ? scheme.scheme.toLowerCase() : undefined
}
