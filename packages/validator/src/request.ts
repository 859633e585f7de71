import { checkContent, type MessageOptions, missingBody } from './content.ts'
import { type Cursor, child } from './cursor.ts'
import type { Finding } from './finding.ts'
import { headersOf, type MessageHeaders } from './messages.ts'
import type { Plan } from './operation.ts'
import { checkParameters, unknownParameters } from './parameters.ts'
import { pairsOf } from './query.ts'

/** A request with its operation. */
export interface Arrived {
  readonly path: Readonly<Record<string, string>>
  readonly query?: string
  readonly headers?: MessageHeaders
  readonly body?: unknown
}

/** Validates a request of an operation. */
export function checkRequest(plan: Plan, message: Arrived, options: MessageOptions): Finding[] {
  const headers = headersOf(message.headers)
  const query = message.query ? pairsOf(message.query) : []
  return [
    ...checkParameters(plan.parameters, { path: message.path, query, headers }),
    ...(options.unknown ? unknownParameters(plan.parameters, parametersAt(plan), query) : []),
    ...checkBody(plan, headers.get('content-type'), message.body, options),
  ]
}

function parametersAt({ at }: Plan): Cursor {
  return child(at, 'parameters') ?? at
}

function checkBody(
  { request }: Plan,
  type: string | undefined,
  body: unknown,
  options: MessageOptions,
): Finding[] {
  if (!request) return []
  if (body === undefined) return request.required ? [missingBody(request.at, 'required')] : []
  return request.content ? checkContent(request.content, type, body, options) : []
}
