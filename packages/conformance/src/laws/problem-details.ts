import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { headerOf } from '../run/exchange.ts'

export const problemDetails: Law = {
  id: 'problem-details',
  phase: 'every answer',
  question: 'errors',
  title: 'Every error is problem details that agree with its status (RFC 9457).',
  advice: 'Send application/problem+json with `status` equal to the status, and a stable `code`.',
  everyAnswer: ({ view, reply, body, call }) => {
    if (reply.status < 400 || call.method === 'HEAD') return undefined
    const message = departureOf(nodeOf(body), reply.status, reply.headers)
    return message === undefined
      ? []
      : [
          {
            operation: view?.id,
            contract: '/components/schemas/Problem',
            message,
            about: message.slice(0, 30),
          },
        ]
  },
}

function departureOf(
  problem: Readonly<Record<string, unknown>>,
  status: number,
  headers: Parameters<typeof headerOf>[0],
) {
  const type = headerOf(headers, 'content-type') ?? 'nothing'
  if (!/^application\/problem\+json\b/i.test(type)) return `Expected application/problem+json, got ${type}.`
  if (problem.status !== status)
    return `Expected "status" to be ${status}, got ${JSON.stringify(problem.status)}.`
  return typeof problem.code === 'string' ? undefined : 'Expected a "code", got none.'
}
