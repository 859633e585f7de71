import { describeFindings } from '@partner-payments/contract'
import type { Finding } from '@partner-payments/validator'
import { readJson } from './body.ts'
import { challenge, hasCredentials } from './credentials.ts'
import { withEchoes } from './echoes.ts'
import { canChooseExample, chooseExample } from './examples.ts'
import { generateResponse } from './generate-response.ts'
import type { MockResponse, Operation, Preference } from './operation.ts'
import { appliedHeader, readPreference } from './prefer.ts'
import { Refusal } from './problems.ts'

/**
 * Creates the response to a request. First checks the credentials, the body and the schema, in this
 * order; then selects the preferred response.
 *
 * @throws {Refusal} for a request that violates the contract
 * @throws {Error} for a response that violates the contract
 */
export async function createResponse(
  operation: Operation,
  request: Request,
  dynamic: boolean,
): Promise<MockResponse> {
  requireCredentials(operation, request)

  const body = operation.takesBody ? await readJson(request) : undefined
  requireNoFindings(operation.findingsIn(request, body))

  const asked = readPreference(request, operation)
  const preference = { dynamic, ...asked }
  const sample = await createSample(operation, preference, body)

  // An example that is preferred by name stays unchanged.
  const isNamed = preference.example !== undefined
  const response = isNamed ? sample : withEchoes(operation.echoes, body, sample)
  const { status, headers, body: content } = withChallenge(operation, response)
  const applied = { ...headers, ...appliedHeader(asked) }
  return requireValid(operation, { status, headers: applied, body: content })
}

function requireCredentials(operation: Operation, { headers }: Request): void {
  if (hasCredentials(operation, headers.get('authorization'))) return

  const code = operation.scheme === 'basic' ? 'invalid_credentials' : 'invalid_token'
  throw new Refusal(code, { headers: { 'www-authenticate': challenge(operation) } })
}

/** @throws {Refusal} if there are findings, in the words of the sandbox */
function requireNoFindings(findings: readonly Finding[]): void {
  if (findings.length === 0) return
  throw new Refusal('invalid_request', describeFindings(findings))
}

function createSample(
  operation: Operation,
  preference: Preference,
  body: unknown,
): Promise<MockResponse> {
  const isGenerated = preference.dynamic && preference.example === undefined
  if (isGenerated) return generateResponse(operation, preference)

  const fixed: Preference = { ...preference, dynamic: false }
  if (canChooseExample(preference, operation)) {
    const example = chooseExample(operation, body)
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

/** Returns the response, which must fit the contract. */
function requireValid(operation: Operation, response: MockResponse): MockResponse {
  const [finding] = operation.findingsInResponse(response)
  if (!finding) return response

  const where = `${operation.id} ${response.status} ${finding.pointer}`
  throw new Error(`an example contradicts its schema: ${where} ${finding.message}`)
}
