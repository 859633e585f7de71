import { createLogger } from '@stoplight/prism-core'
import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { branchByConstant } from './branches.ts'
import { forGenerator } from './dynamic.ts'
import type { Answer, DeclaredResponse, Echoes, Example, Input, Operation, Wish } from './operation.ts'
import { problemType } from './problems.ts'
import { toViolation, type Violation } from './violations.ts'

// This file is the one seam to Prism: its types, and those of fp-ts behind them, go no further.
type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number]
type PrismConfig = Parameters<typeof createInstance>[0]
type PrismRequest = Parameters<ReturnType<typeof createInstance>['request']>[0]
type PrismAnswer = { statusCode: number; headers?: Record<string, string>; body?: unknown }

const logger = createLogger('prism', { level: 'silent' })

/**
 * Reads the operations of one document or several. The documents themselves are left as they are.
 *
 * @throws {Error} when a document is not OpenAPI 3.1, a reference in it leads nowhere, or two documents describe the
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
  // Unless told the dialect, Prism takes schemas for draft 7 and puts a pattern of its own on every format: byte.
  const operations = await getHttpOperationsFromSpec({ ...structuredClone(contract), jsonSchemaDialect })
  return operations.map(toOperation)
}

/** What the schemas of OpenAPI 3.1 are, extensions aside. */
const jsonSchemaDialect = 'https://json-schema.org/draft/2020-12/schema'

function toOperation(prism: PrismOperation): Operation {
  const method = prism.method.toUpperCase()
  const contents = prism.request?.body?.contents ?? []
  const narrow = branchByConstant(prism)
  const inventive = forGenerator(prism)
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
    checkAnswer: (answer) => checkAnswer(prism, answer),
    sample: (wish) => sample(wish.dynamic ? inventive : prism, wish),
  }
}

async function checkRequest(operation: PrismOperation, input: Input): Promise<Violation[]> {
  const { path, headers, body } = input
  const query = Object.fromEntries(
    Object.entries(input.query).map(([name, value]) => [name, value || NO_TEXT]),
  )
  const request = { ...requestTo(operation), url: { path, query }, headers, body }
  const { validations } = await run(operation, request, { validateRequest: true }, { statusCode: 200 })
  return validations.input.map((diagnostic) => toViolation(diagnostic, input))
}

async function checkAnswer(
  operation: PrismOperation,
  { status, headers, body }: Answer,
): Promise<Violation[]> {
  const answer = { statusCode: status, headers, body }
  const { validations } = await run(operation, requestTo(operation), { validateResponse: true }, answer)
  return validations.output.map((diagnostic) => toViolation(diagnostic, { query: {}, headers, body }))
}

/** Prism takes an empty value for an absent one; this one is of no form that a contract asks for, and is text. */
const NO_TEXT = '\0'

async function sample(operation: PrismOperation, wish: Wish): Promise<Answer> {
  const { code, example, dynamic = false } = wish
  const mock = { dynamic, ...(code && { code }), ...(example && { exampleKey: example }) }
  const { output } = await run(operation, requestTo(operation), { mock })
  const { 'Content-type': type, ...rest } = output.headers ?? {}
  // Prism says text/plain of an answer that has no body.
  const headers = output.body === undefined ? rest : { ...rest, 'content-type': type ?? 'application/json' }
  return { status: output.statusCode, headers, body: output.body }
}

/** Runs one request through Prism. With an answer given, Prism judges that one instead of making its own. */
async function run(
  operation: PrismOperation,
  request: PrismRequest,
  { mock = { dynamic: false }, ...checks }: Partial<PrismConfig>,
  answer?: PrismAnswer,
) {
  const config = { ...everythingOff, ...checks, mock } as PrismConfig
  const given = answer && { mock: () => () => ({ _tag: 'Right' as const, right: answer }) }
  const result = await createInstance(config, { logger, ...given }).request(request, [operation])()
  if (result._tag === 'Left') throw result.left
  return result.right
}

const everythingOff = {
  isProxy: false,
  errors: false,
  checkSecurity: false,
  validateRequest: false,
  validateResponse: false,
  upstreamProxy: undefined,
}

/** A request that Prism routes to this operation. Without an accept header, since the service reads none. */
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
