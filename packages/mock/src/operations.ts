import { deprecationHeaders, deprecationOf } from '@partner-payments/contract'
import { createValidator, type NotFound, type Validator } from '@partner-payments/validator'
import { createLogger } from '@stoplight/prism-core'
import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { withGeneratableSchemas } from './generate-response.ts'
import type {
  DeclaredResponse,
  Echoes,
  Example,
  MockResponse,
  Operation,
  Preference,
} from './operation.ts'
import { PROBLEM_TYPE } from './problems.ts'

// Only this file uses Prism, so that its types and those of fp-ts stay here.
type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number]
type PrismRequest = Parameters<ReturnType<typeof createInstance>['request']>[0]

type ValidatedOperation = Validator['operations'][number]

const logger = createLogger('prism', { level: 'silent' })

/** The operations of all documents. */
export interface Operations {
  readonly all: readonly Operation[]
  /**
   * Finds an operation by method and path, else the methods of the path. Trailing slashes matter.
   */
  find(method: string, path: string): Target
}

/** The operation of a request, or what is known of a path that has none. */
export type Target = FoundOperation | NotFound

interface FoundOperation {
  readonly found: true
  readonly operation: Operation
}

/**
 * Reads the operations of one or more documents. Does not modify the documents.
 *
 * @throws {Error} when a document is not OpenAPI 3.1, a reference in it cannot be resolved, or two
 *   documents describe the same method and path
 */
export async function loadOperations(documents: readonly object[]): Promise<Operations> {
  const loadedDocuments = await Promise.all(documents.map(loadDocument))
  const all = loadedDocuments.flatMap((document) => document.all)
  requireDifferent(all)

  return {
    all,
    /**
     * The operation of a method and a path in any of the documents, or what they say of the path
     * otherwise.
     */
    find(method, path) {
      const missing: NotFound[] = []
      for (const document of loadedDocuments) {
        const target = document.find(method, path)
        if (target.found) return target
        missing.push(target)
      }
      return combineNotFound(missing)
    },
  }
}

/** Throws an Error if two documents describe the same method and path. */
function requireDifferent(operations: readonly Operation[]): void {
  const calls = new Set<string>()
  for (const { method, path } of operations) {
    const call = `${method} ${path}`
    if (calls.has(call)) throw new Error(`two documents describe ${call}; leave one of them out`)
    calls.add(call)
  }
}

/**
 * What all documents together say of a method and path that none of them has: 405 if one has other
 * methods for the path, otherwise 404.
 */
function combineNotFound(missing: readonly NotFound[]): NotFound {
  const allow = missing.flatMap((result) => result.allow)
  const withSuggestion = missing.find((result) => result.otherSlash)
  return {
    found: false,
    status: allow.length > 0 ? 405 : 404,
    allow,
    otherSlash: withSuggestion?.otherSlash,
  }
}

/**
 * Reads the operations of one document. Both Prism (for examples) and the validator (for findings)
 * read it; the operations join what they found.
 */
async function loadDocument(contract: object): Promise<Operations> {
  const version = 'openapi' in contract ? String(contract.openapi) : 'none'
  if (!version.startsWith('3.1.'))
    throw new Error(`the contract must be OpenAPI 3.1, got ${version}`)

  const validator = createValidator(contract)
  // By default, Prism assumes draft 7 and adds its own pattern to every format: byte.
  const dialectContract = { ...structuredClone(contract), jsonSchemaDialect: JSON_SCHEMA_DIALECT }
  const prismOperations = await getHttpOperationsFromSpec(dialectContract)

  const operations = new Map<ValidatedOperation, Operation>()
  for (const validated of validator.operations) {
    const prism = findPrismOperation(prismOperations, validated)
    operations.set(validated, toOperation(prism, validated, validator))
  }
  return {
    all: [...operations.values()],
    find(method, path) {
      const target = validator.findOperation(method, path)
      if (!target.found) return target
      // The map has every operation of the validator.
      return { found: true, operation: operations.get(target.operation) as Operation }
    },
  }
}

/** The operation that Prism read, for one that the validator read. Throws if there is none. */
function findPrismOperation(
  prismOperations: readonly PrismOperation[],
  { method, path }: ValidatedOperation,
): PrismOperation {
  const prism = prismOperations.find(
    (operation) => operation.method.toUpperCase() === method && operation.path === path,
  )
  if (!prism) throw new Error(`Prism does not find ${method} ${path}`)
  return prism
}

/** The dialect of OpenAPI 3.1 schemas, without extensions. */
const JSON_SCHEMA_DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/**
 * An operation of the mock, which joins what Prism read of it (examples, samples) and the validator
 * (findings).
 */
function toOperation(
  prism: PrismOperation,
  validated: ValidatedOperation,
  validator: Validator,
): Operation {
  const { method, path } = validated
  const contents = prism.request?.body?.contents ?? []
  const deprecation = deprecationOf({
    deprecated: prism.deprecated,
    'x-deprecation': prism.extensions?.['x-deprecation'],
  })
  const generatableOperation = withGeneratableSchemas(prism)
  return {
    id: validated.id ?? `${method} ${path}`,
    method,
    path,
    scheme: readScheme(prism),
    takesBody: contents.length > 0,
    deprecation: deprecationHeaders(deprecation),
    echoes: (prism.extensions?.['x-echoes'] ?? {}) as Echoes,
    requestExamples: contents.flatMap(listExamples),
    responses: prism.responses.map(toDeclaredResponse),
    /** What is wrong with a request, as a list; empty if it is valid. */
    findingsIn(request, body) {
      const { pathname, search } = new URL(request.url)
      return validator.validateRequest({
        method,
        path: pathname,
        query: search,
        headers: request.headers,
        body,
      })
    },
    findingsInResponse: (response) => validator.validateResponse(validated, response),
    sample: (preference) =>
      createPrismResponse(preference.dynamic ? generatableOperation : prism, preference),
  }
}

/**
 * The response that Prism creates for a preference: an example, or a generated one. Its checks are
 * off, since this package does them.
 */
async function createPrismResponse(
  operation: PrismOperation,
  preference: Preference,
): Promise<MockResponse> {
  const prism = createInstance(
    {
      errors: false,
      checkSecurity: false,
      validateRequest: false,
      validateResponse: false,
      isProxy: false,
      upstreamProxy: undefined,
      mock: toMockConfig(preference),
    },
    { logger },
  )

  // Prism routes it to this operation. Without `accept`, which the service ignores.
  const request: PrismRequest = {
    method: operation.method as PrismRequest['method'],
    url: { path: operation.path },
  }
  const result = await prism.request(request, [operation])()
  if (result._tag === 'Left') throw result.left
  return toMockResponse(result.right.output)
}

interface PrismResponse {
  readonly statusCode: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A response of Prism in the form of this package, with the content-type as other headers. */
function toMockResponse({ statusCode: status, headers = {}, body }: PrismResponse): MockResponse {
  const { 'Content-type': type = 'application/json', ...otherHeaders } = headers
  // Prism sets text/plain on a response without a body.
  if (body === undefined) return { status, headers: otherHeaders, body }
  return { status, headers: { ...otherHeaders, 'content-type': type }, body }
}

/** A preference as Prism's options: whether to generate the response, or its status and example. */
function toMockConfig({ code, example, dynamic = false }: Preference) {
  const config: { dynamic: boolean; code?: number; exampleKey?: string } = { dynamic }
  if (code) config.code = code
  if (example) config.exampleKey = example
  return config
}

/** A response of Prism's operation, as far as the mock reads it. */
function toDeclaredResponse({
  code,
  contents = [],
}: PrismOperation['responses'][number]): DeclaredResponse {
  return {
    status: Number(code),
    problem: contents.some(({ mediaType }) => mediaType === PROBLEM_TYPE),
    examples: contents.flatMap(listExamples),
  }
}

/** The examples that have a value; others refer to an external one. */
function listExamples({ examples = [] }: { examples?: object[] }): Example[] {
  const withValues: Example[] = []
  for (const example of examples) {
    if ('key' in example && 'value' in example)
      withValues.push({ name: String(example.key), value: example.value })
  }
  return withValues
}

function readScheme({ security = [] }: PrismOperation): string | undefined {
  const scheme = security.flat().find(({ type }) => type === 'http')
  return scheme && 'scheme' in scheme ? scheme.scheme.toLowerCase() : undefined
}
