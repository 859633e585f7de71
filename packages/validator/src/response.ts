import { checkContent, type MessageOptions, missingBody } from './content.ts'
import { child } from './cursor.ts'
import { type Finding, finding } from './finding.ts'
import { pointerOf } from './json.ts'
import { headersOf, type ResponseMessage } from './messages.ts'
import type { Plan, ResponsePlan } from './operation.ts'
import { checkParameters } from './parameters.ts'

/** Validates a response of an operation. */
export function checkResponse(plan: Plan, message: ResponseMessage, options: MessageOptions): Finding[] {
  const response = responsePlanOf(plan, message.status)
  if (!response) return [wrongStatus(plan, message.status)]
  const headers = headersOf(message.headers)
  const found = checkParameters(response.headers, { path: {}, query: [], headers })
  // A response to HEAD has the headers of a body but no body (RFC 9110, section 9.3.2).
  if (!response.content || plan.operation.method === 'HEAD') return found
  if (message.body === undefined) return [...found, missingBody(response.at, 'content')]
  return [...found, ...checkContent(response.content, headers.get('content-type'), message.body, options)]
}

/** The plan of the status, else of its range, else the default (OpenAPI 3.1, "Responses Object"). */
function responsePlanOf({ responses }: Plan, status: number): ResponsePlan | undefined {
  const range = `${Math.trunc(status / 100)}XX`
  return responses.get(String(status)) ?? responses.get(range) ?? responses.get('default')
}

function wrongStatus({ at, responses }: Plan, status: number): Finding {
  const contract = pointerOf(at.pointer, 'responses')
  const message = `expected ${[...responses.keys()].join(' or ')}, got ${status}`
  const question = child(at, 'responses')?.question
  return finding({ place: 'status', pointer: '', contract, keyword: 'responses', message }, question)
}
