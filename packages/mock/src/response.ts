import type { Finding } from '@partner-payments/validator'
import { readJson } from './body.ts'
import { challenge, hasCredentials } from './credentials.ts'
import { withEchoes } from './echoes.ts'
import { canChooseExample, exampleFor } from './examples.ts'
import { generateResponse } from './generate-response.ts'
import type { MockResponse, Operation, Preference } from './operation.ts'
import { appliedHeader, readPreference } from './prefer.ts'
import { type ProblemError, Refusal } from './problems.ts'

/**
 * Creates the response to a request. First checks the credentials, the body and the schema, in this
 * order; then selects the preferred response.
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
  refuseFindings(operation.findingsIn(request, body))

  const asked = readPreference(request, operation)
  const preference = { dynamic, ...asked }
  const sample = await sampleOf(operation, preference, body)

  // An example that is preferred by name stays unchanged.
  const isNamed = preference.example !== undefined
  const response = isNamed ? sample : withEchoes(operation.echoes, body, sample)
  const { status, headers, body: content } = withChallenge(operation, response)
  const applied = { ...headers, ...appliedHeader(asked) }
  return validated(operation, { status, headers: applied, body: content })
}

function checkCredentials(operation: Operation, { headers }: Request): void {
  if (hasCredentials(operation, headers.get('authorization'))) return

  const code = operation.scheme === 'basic' ? 'invalid_credentials' : 'invalid_token'
  throw new Refusal(code, { headers: { 'www-authenticate': challenge(operation) } })
}

/** In the words of the sandbox. */
function refuseFindings(findings: readonly Finding[]): void {
  if (findings.length === 0) return

  const places = findings.length === 1 ? '1 place' : `${findings.length} places`
  const detail = `The request breaks the contract in ${places}.`
  throw new Refusal('invalid_request', { detail, errors: findings.map(errorOf) })
}

function errorOf({ place, pointer, keyword, message }: Finding): ProblemError {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1)
  const subject = name ? `"${name}"` : `The ${place}`
  return {
    pointer: place === 'body' ? pointer : name,
    code: keyword,
    detail: `${subject}: ${message}.`,
  }
}

function sampleOf(
  operation: Operation,
  preference: Preference,
  body: unknown,
): Promise<MockResponse> {
  const isGenerated = preference.dynamic && preference.example === undefined
  if (isGenerated) return generateResponse(operation, preference)

  const fixed: Preference = { ...preference, dynamic: false }
  if (canChooseExample(preference, operation)) {
    const example = exampleFor(operation, body)
    if (example !== undefined) fixed.example = example
  }
  return operation.sample(fixed)
}

/** The 401 example of the contract names one scheme; the operation may use another. */
function withChallenge(operation: Operation, response: MockResponse): MockResponse {
  if (response.status !== 401) return response

  const headers = { ...response.headers, 'www-authenticate': challenge(operation) }
  return { ...response, headers }
}

function validated(operation: Operation, response: MockResponse): MockResponse {
  const [finding] = operation.findingsInResponse(response)
  if (!finding) return response

  const where = `${operation.id} ${response.status} ${finding.pointer}`
  throw new Error(`an example contradicts its schema: ${where} ${finding.message}`)
}
