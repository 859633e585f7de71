import type { Law } from '../law.ts'

export const allowOn405: Law = {
  id: 'allow-on-405',
  phase: 'every answer',
  question: 'errors',
  title: 'Every 405 says in allow which methods the path takes (RFC 9110, section 15.5.6).',
  advice: 'Send allow with the methods of the path.',
  everyAnswer: ({ view, reply }) =>
    reply.status === 405 && reply.headers.allow === undefined
      ? [
          {
            operation: view?.id,
            contract: view?.pointer ?? '',
            message: 'Expected allow beside 405, got none.',
          },
        ]
      : [],
}
