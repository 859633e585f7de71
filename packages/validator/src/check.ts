import { pointerOf } from '@partner-payments/text'
import { type Cursor, child, keywordOf, questionOf } from './cursor.ts'
import { type Finding, finding } from './finding.ts'
import { headersOf, type RequestMessage, type ResponseMessage } from './messages.ts'
import { type Content, essenceOf, type Plan } from './operation.ts'
import { checkParameters, pairsOf, unknownParameters } from './parameters.ts'
import { unknownProperties } from './unknown.ts'

/** Options for the validation of a message. */
export interface CheckOptions {
  readonly unknown: boolean
  /** Maximum number of findings. */
  readonly limit: number
}

/** A request or delivery, with the decoded parameters of its path. */
type Arrived = Omit<RequestMessage, 'method' | 'path'> & {
  readonly path: Readonly<Record<string, string>>
}

/** Validates a request of an operation. */
export function checkRequest(plan: Plan, message: Arrived, options: CheckOptions): Finding[] {
  const { at, parameters, request } = plan
  const { path, body } = message
  const headers = headersOf(message.headers)
  const query = message.query ? pairsOf(message.query) : []
  const found = [
    ...checkParameters(parameters, { path, query, headers }),
    ...(options.unknown ? unknownParameters(parameters, child(at, 'parameters') ?? at, query) : []),
  ]
  if (!request) return found
  if (body !== undefined)
    return [...found, ...checkContent(plan, request.content, headers, body, options)]
  return keywordOf(request.at, 'required') === true
    ? [...found, missingBody(request.at, 'required')]
    : found
}

/** Validates a response of an operation. */
export function checkResponse(
  plan: Plan,
  message: ResponseMessage,
  options: CheckOptions,
): Finding[] {
  const { at, operation, responses } = plan
  const { status, body } = message
  // OpenAPI 3.1, "Responses Object".
  const names = [String(status), `${Math.trunc(status / 100)}XX`, 'default']
  const response = responses.get(names.find((name) => responses.has(name)) ?? '')
  if (!response) return [wrongStatus(at, [...responses.keys()], status)]
  const headers = headersOf(message.headers)
  const found = checkParameters(response.headers, { path: {}, query: [], headers })
  // A response to HEAD has the headers of a body but no body (RFC 9110, section 9.3.2).
  if (!response.content || operation.method === 'HEAD') return found
  if (body === undefined) return [...found, missingBody(response.at, 'content')]
  return [...found, ...checkContent(plan, response.content, headers, body, options)]
}

/** Validates a present body. */
function checkContent(
  { root }: Plan,
  content: Content | undefined,
  headers: ReadonlyMap<string, string>,
  body: unknown,
  { unknown, limit }: CheckOptions,
): Finding[] {
  if (!content) return []
  const type = headers.get('content-type')
  const media = content.medias.find((it) => type !== undefined && it.type === essenceOf(type))
  if (!media) return [wrongType(content, type)]
  const { schema, check } = media
  if (!schema || !check) return []
  const place = { place: 'body', pointer: '' } as const
  const found = check(body, place)
  return unknown ? [...found, ...unknownProperties(root, schema, body, place, limit)] : found
}

function wrongType({ at, medias }: Content, contentType: string | undefined): Finding {
  const expected = medias.map(({ type }) => type).join(' or ') || 'no body'
  const message = `expected ${expected}, got ${contentType === undefined ? 'nothing' : 'another media type'}`
  const it = {
    place: 'media-type',
    pointer: '',
    contract: at.pointer,
    keyword: 'content',
    message,
  } as const
  return finding(it, at.question)
}

function missingBody(at: Cursor, keyword: string): Finding {
  const contract = pointerOf(at.pointer, keyword)
  const message = 'expected a body, got nothing'
  return finding(
    { place: 'body', pointer: '', contract, keyword, message },
    questionOf(at, keyword),
  )
}

function wrongStatus(at: Cursor, expected: readonly string[], status: number): Finding {
  const contract = pointerOf(at.pointer, 'responses')
  const message = `expected ${expected.join(' or ')}, got ${status}`
  const question = child(at, 'responses')?.question
  return finding(
    { place: 'status', pointer: '', contract, keyword: 'responses', message },
    question,
  )
}
