import { readJson } from './body.ts'
import { challenge, hasCredentials } from './credentials.ts'
import { withEchoes } from './echoes.ts'
import { canChooseExample, exampleFor } from './examples.ts'
import { generateResponse } from './generate-response.ts'
import type { MockResponse, Operation, Preference } from './operation.ts'
import { readPreference } from './prefer.ts'
import { Refusal } from './problems.ts'
import { withoutRepeats } from './violations.ts'

/**
 * Creates the response to a request. First checks the credentials, the body and the schema, in this order; then selects
 * the preferred response.
 *
 * @throws {Refusal} for a request that violates the contract
 * @throws {Error} for a response that violates the contract
 */
export async function responseTo(
  operation: Operation,
  request: Request,
  dynamic: boolean,
): Promise<MockResponse> {
  checkCredentials(operation, request)
  const body = operation.takesBody ? await readJson(request) : undefined
  await checkRequest(operation, request, body)
  const preference = { dynamic, ...readPreference(request, operation) }
  const sample = await sampleOf(operation, preference, body)
  // An example that is preferred by name stays unchanged.
  const response = preference.example === undefined ? withEchoes(operation.echoes, body, sample) : sample
  return validated(operation, withChallenge(operation, response))
}

function checkCredentials(operation: Operation, { headers }: Request): void {
  if (hasCredentials(operation, headers.get('authorization'))) return
  const code = operation.scheme === 'basic' ? 'invalid_credentials' : 'invalid_token'
  throw new Refusal(code, { headers: { 'www-authenticate': challenge(operation) } })
}

async function checkRequest(operation: Operation, request: Request, body: unknown): Promise<void> {
  const { pathname: path, searchParams } = new URL(request.url)
  const query = Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => [name, only(searchParams.getAll(name))]),
  )
  // The body is already parsed; Prism would check its type and length again.
  const { 'content-type': _, 'content-length': __, ...headers } = Object.fromEntries(request.headers)
  const errors = withoutRepeats(await operation.checkRequest({ path, query, headers, body }))
  if (errors.length === 0) return
  const places = errors.length === 1 ? '1 place' : `${errors.length} places`
  throw new Refusal('invalid_request', { detail: `The request breaks the contract in ${places}.`, errors })
}

function sampleOf(operation: Operation, preference: Preference, body: unknown): Promise<MockResponse> {
  if (preference.dynamic && preference.example === undefined) return generateResponse(operation, preference)
  const example = canChooseExample(preference, operation) ? exampleFor(operation, body) : undefined
  return operation.sample({ ...preference, dynamic: false, ...(example !== undefined && { example }) })
}

/** The 401 example of the contract names one scheme; the operation may use another. */
function withChallenge(operation: Operation, response: MockResponse): MockResponse {
  if (response.status !== 401) return response
  return { ...response, headers: { ...response.headers, 'www-authenticate': challenge(operation) } }
}

async function validated(operation: Operation, response: MockResponse): Promise<MockResponse> {
  const [violation] = await operation.checkResponse(response)
  if (!violation) return response
  const { pointer, detail } = violation
  throw new Error(
    `an example contradicts its schema: ${operation.id} ${response.status} ${pointer} ${detail}`,
  )
}

function only(values: string[]): string | string[] {
  return values.length === 1 ? String(values[0]) : values
}
