import { pointerOf } from '@partner-payments/contract'
import { type Cursor, findChild, questionOfKeyword, readKeyword } from './cursor.ts'
import { type Finding, finding } from './finding.ts'
import { joinHeaders, type RequestMessage, type ResponseMessage } from './messages.ts'
import { type Body, type CompiledOperation, type Content, mediaTypeEssence } from './operation.ts'
import { checkParameters, parsePairs, unknownParameters } from './parameters.ts'
import { unknownProperties } from './unknown.ts'

/** Options for the validation of a message. */
export interface CheckOptions {
  readonly unknown: boolean
  /** Maximum number of findings. */
  readonly limit: number
}

/** A request or delivery, with the decoded parameters of its path. */
type ReceivedRequest = Omit<RequestMessage, 'method' | 'path'> & {
  readonly path: Readonly<Record<string, string>>
}

/**
 * The findings of a request: where its parameters, or its body, differ from what the contract
 * declares. `compiled` has what the messages of one operation are compared with.
 */
export function checkRequest(
  compiled: CompiledOperation,
  message: ReceivedRequest,
  options: CheckOptions,
): Finding[] {
  const headers = joinHeaders(message.headers)
  const query = parsePairs(message.query)

  const parameters = { path: message.path, query, headers }
  const ofParameters = checkParameters(compiled.parameters, parameters)
  const ofUnknown = options.unknown
    ? unknownParameters(compiled.parameters, compiled.cursor, query)
    : []
  const ofBody = compiled.request
    ? checkRequestBody(compiled, compiled.request, headers, message.body, options)
    : []
  // A query may have hundreds of thousands of parameters, too many for the arguments of a `push`.
  return [...ofParameters, ...ofUnknown, ...ofBody]
}

/** The findings of the body of a request, which may be absent unless it is required. */
function checkRequestBody(
  compiled: CompiledOperation,
  declared: Body,
  headers: ReadonlyMap<string, string>,
  body: unknown,
  options: CheckOptions,
): Finding[] {
  if (body !== undefined) return checkContent(compiled, declared.content, headers, body, options)

  const isRequired = readKeyword(declared.cursor, 'required') === true
  return isRequired ? [missingBody(declared.cursor, 'required')] : []
}

/**
 * The findings of a response: where its status, its headers or its body differ from what the
 * contract declares. `compiled` has what the messages of one operation are compared with.
 */
export function checkResponse(
  compiled: CompiledOperation,
  message: ResponseMessage,
  options: CheckOptions,
): Finding[] {
  const { cursor, operation, responses } = compiled
  const { status, body } = message
  const response = selectResponse(responses, status)
  if (!response) return [undeclaredStatus(cursor, [...responses.keys()], status)]

  const headers = joinHeaders(message.headers)
  const findings = checkParameters(response.headers, { path: {}, query: [], headers })

  // A response to HEAD has the headers of a body but no body (RFC 9110, section 9.3.2).
  if (!response.content || operation.method === 'HEAD') return findings

  if (body === undefined) return [...findings, missingBody(response.cursor, 'content')]
  return [...findings, ...checkContent(compiled, response.content, headers, body, options)]
}

/**
 * A status takes precedence over its range, and both over `default` (OpenAPI 3.1, "Responses
 * Object").
 */
function selectResponse(responses: CompiledOperation['responses'], status: number) {
  const range = `${Math.trunc(status / 100)}XX`
  return responses.get(String(status)) ?? responses.get(range) ?? responses.get('default')
}

/**
 * The findings of a present body: its media type is not declared, or it differs from the schema of
 * that type. With `unknown`, also the properties that no schema declares.
 */
function checkContent(
  { root }: CompiledOperation,
  content: Content | undefined,
  headers: ReadonlyMap<string, string>,
  body: unknown,
  { unknown, limit }: CheckOptions,
): Finding[] {
  if (!content) return []

  const contentType = headers.get('content-type')
  if (contentType === undefined) return [wrongMediaType(content, 'nothing')]

  const type = mediaTypeEssence(contentType)
  const media = content.medias.find((declared) => declared.type === type)
  if (!media) return [wrongMediaType(content, 'another media type')]
  // Any body of this type is valid.
  if (!media.schema) return []

  const wholeBody = { place: 'body', pointer: '' } as const
  const { cursor, check } = media.schema
  const findings = check(body, wholeBody)
  if (!unknown) return findings
  return [...findings, ...unknownProperties(root, cursor, body, wholeBody, limit)]
}

/**
 * The finding of a body that has no media type, or one that the contract does not declare. It cites
 * the `content` of the contract, and the open question on which that rests, if any.
 */
function wrongMediaType({ cursor, medias }: Content, received: string): Finding {
  const expected = medias.map(({ type }) => type).join(' or ') || 'no body'
  return finding(
    {
      place: 'media-type',
      pointer: '',
      contract: cursor.pointer,
      keyword: 'content',
      message: `expected ${expected}, got ${received}`,
    },
    cursor.question,
  )
}

/**
 * The finding of a message without the body that a keyword demands. It cites the keyword, and the
 * open question on which that rests, if any.
 */
function missingBody(cursor: Cursor, keyword: string): Finding {
  return finding(
    {
      place: 'body',
      pointer: '',
      contract: pointerOf(cursor.pointer, keyword),
      keyword,
      message: 'expected a body, got nothing',
    },
    questionOfKeyword(cursor, keyword),
  )
}

/** The finding of a response whose status is not declared. */
function undeclaredStatus(operation: Cursor, expected: readonly string[], status: number): Finding {
  return finding(
    {
      place: 'status',
      pointer: '',
      contract: pointerOf(operation.pointer, 'responses'),
      keyword: 'responses',
      message: `expected ${expected.join(' or ')}, got ${status}`,
    },
    findChild(operation, 'responses')?.question,
  )
}
