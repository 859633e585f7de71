import type { Law } from '../law.ts'

export const noServerError: Law = {
  id: 'no-server-error',
  phase: 'every answer',
  title: 'No request makes the service fail with 5xx.',
  advice: 'Find the request id in the logs of the service, and handle what it shows.',
  everyAnswer: ({ view, reply }) =>
    reply.status >= 500
      ? [
          {
            operation: view?.id,
            contract: view?.pointer ?? '',
            message: `Expected the service to cope, got ${reply.status}.`,
            about: String(reply.status),
          },
        ]
      : [],
}
