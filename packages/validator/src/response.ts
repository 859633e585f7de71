import { type Asked, checkContent, missingBody } from './content.ts'
import { child } from './cursor.ts'
import { type Finding, finding } from './finding.ts'
import { pointerOf } from './json.ts'
import { headersOf, type ResponseMessage } from './messages.ts'
import type { Answer, Plan } from './operation.ts'
import { checkParameters } from './parameters.ts'

/** What is wrong with an answer of an operation. */
export function checkResponse(plan: Plan, message: ResponseMessage, asked: Asked): Finding[] {
  const answer = answerOf(plan, message.status)
  if (!answer) return [wrongStatus(plan, message.status)]
  const headers = headersOf(message.headers)
  const found = checkParameters(answer.headers, { path: {}, query: [], headers })
  // An answer to HEAD has the headers of a body and none (RFC 9110, section 9.3.2).
  if (!answer.content || plan.operation.method === 'HEAD') return found
  if (message.body === undefined) return [...found, missingBody(answer.at, 'content')]
  return [...found, ...checkContent(answer.content, headers.get('content-type'), message.body, asked)]
}

/** The status itself, else its range, else the default (OpenAPI 3.1, "Responses Object"). */
function answerOf({ responses }: Plan, status: number): Answer | undefined {
  const range = `${Math.trunc(status / 100)}XX`
  return responses.get(String(status)) ?? responses.get(range) ?? responses.get('default')
}

function wrongStatus({ at, responses }: Plan, status: number): Finding {
  const contract = pointerOf(at.pointer, 'responses')
  const message = `expected ${[...responses.keys()].join(' or ')}, got ${status}`
  const question = child(at, 'responses')?.question
  return finding({ place: 'status', pointer: '', contract, keyword: 'responses', message }, question)
}
