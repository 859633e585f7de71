import { createLogger } from '@stoplight/prism-core'
import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { branchByConstant } from './branches.ts'
import { forGenerator } from './generate-response.ts'
import type {
  DeclaredResponse,
  Echoes,
  Example,
  Input,
  MockResponse,
  Operation,
  Preference,
} from './operation.ts'
import { problemType } from './problems.ts'
import { toViolation, type Violation } from './violations.ts'

// Only this file uses Prism, so that its types and those of fp-ts stay here.
type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number]
type PrismConfig = Parameters<typeof createInstance>[0]
type PrismRequest = Parameters<ReturnType<typeof createInstance>['request']>[0]
type PrismResponse = { statusCode: number; headers?: Record<string, string>; body?: unknown }

const logger = createLogger('prism', { level: 'silent' })

/**
 * Reads the operations of one or more documents. Does not modify the documents.
 *
 * @throws {Error} when a document is not OpenAPI 3.1, a reference in it cannot be resolved, or two documents describe the
 *   same method and path
 */
export async function loadOperations(documents: readonly object[]): Promise<Operation[]> {
  const operations = (await Promise.all(documents.map(operationsOf))).flat()
  const calls = operations.map(({ method, path }) => `${method} ${path}`)
  const repeated = calls.find((call, index) => calls.indexOf(call) < index)
  if (repeated) throw new Error(`two documents describe ${repeated}; leave one of them out`)
  return operations
}

async function operationsOf(contract: object): Promise<Operation[]> {
  const version = 'openapi' in contract ? String(contract.openapi) : 'none'
  if (!version.startsWith('3.1.')) throw new Error(`the contract must be OpenAPI 3.1, got ${version}`)
  // By default, Prism assumes draft 7 and adds its own pattern to every format: byte.
  const operations = await getHttpOperationsFromSpec({ ...structuredClone(contract), jsonSchemaDialect })
  return operations.map(toOperation)
}

/** The dialect of OpenAPI 3.1 schemas, without extensions. */
const jsonSchemaDialect = 'https://json-schema.org/draft/2020-12/schema'

function toOperation(prism: PrismOperation): Operation {
  const method = prism.method.toUpperCase()
  const contents = prism.request?.body?.contents ?? []
  const narrow = branchByConstant(prism)
  const generatable = forGenerator(prism)
  return {
    id: prism.iid ?? `${method} ${prism.path}`,
    method,
    path: prism.path,
    scheme: schemeOf(prism),
    takesBody: contents.length > 0,
    echoes: (prism.extensions?.['x-echoes'] ?? {}) as Echoes,
    requestExamples: contents.flatMap(examplesOf),
    responses: prism.responses.map(toDeclaredResponse),
    checkRequest: (input) => checkRequest(narrow(input.body), input),
    checkResponse: (response) => checkResponse(prism, response),
    sample: (preference) => sample(preference.dynamic ? generatable : prism, preference),
  }
}

async function checkRequest(operation: PrismOperation, input: Input): Promise<Violation[]> {
  const { path, headers, body } = input
  const query = Object.fromEntries(Object.entries(input.query).map(([name, value]) => [name, value || EMPTY]))
  const request = { ...requestTo(operation), url: { path, query }, headers, body }
  const { validations } = await run(operation, request, { validateRequest: true }, { statusCode: 200 })
  return validations.input.map((diagnostic) => toViolation(diagnostic, input))
}

async function checkResponse(
  operation: PrismOperation,
  { status, headers, body }: MockResponse,
): Promise<Violation[]> {
  const response = { statusCode: status, headers, body }
  const { validations } = await run(operation, requestTo(operation), { validateResponse: true }, response)
  return validations.output.map((diagnostic) => toViolation(diagnostic, { query: {}, headers, body }))
}

/** Stands in for an empty query value, which Prism would treat as absent. Matches no format or pattern. */
const EMPTY = '\0'

async function sample(operation: PrismOperation, preference: Preference): Promise<MockResponse> {
  const { code, example, dynamic = false } = preference
  const mock = { dynamic, ...(code && { code }), ...(example && { exampleKey: example }) }
  const { output } = await run(operation, requestTo(operation), { mock })
  const { 'Content-type': type, ...rest } = output.headers ?? {}
  // Prism sets text/plain on a response without a body.
  const headers = output.body === undefined ? rest : { ...rest, 'content-type': type ?? 'application/json' }
  return { status: output.statusCode, headers, body: output.body }
}

/** Runs one request through Prism. If `response` is set, Prism validates it instead of creating one. */
async function run(
  operation: PrismOperation,
  request: PrismRequest,
  { mock = { dynamic: false }, ...checks }: Partial<PrismConfig>,
  response?: PrismResponse,
) {
  const config = { ...allChecksOff, ...checks, mock } as PrismConfig
  const fixed = response && { mock: () => () => ({ _tag: 'Right' as const, right: response }) }
  const result = await createInstance(config, { logger, ...fixed }).request(request, [operation])()
  if (result._tag === 'Left') throw result.left
  return result.right
}

const allChecksOff = {
  isProxy: false,
  errors: false,
  checkSecurity: false,
  validateRequest: false,
  validateResponse: false,
  upstreamProxy: undefined,
}

/** A request that Prism routes to this operation. Without `accept`, which the service ignores. */
function requestTo({ method, path }: PrismOperation): PrismRequest {
  return { method: method as PrismRequest['method'], url: { path } }
}

function toDeclaredResponse({ code, contents = [] }: PrismOperation['responses'][number]): DeclaredResponse {
  const problem = contents.some(({ mediaType }) => mediaType === problemType)
  return { status: Number(code), problem, examples: contents.flatMap(examplesOf) }
}

function examplesOf({ examples = [] }: { examples?: object[] }): Example[] {
  return examples.flatMap((example) =>
    'key' in example && 'value' in example ? [{ name: String(example.key), value: example.value }] : [],
  )
}

function schemeOf({ security = [] }: PrismOperation): string | undefined {
  const scheme = security.flat().find(({ type }) => type === 'http')
  return scheme && 'scheme' in scheme ? scheme.scheme.toLowerCase() : undefined
}
