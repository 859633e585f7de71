import type { Law } from '../../engine/rule.ts'

export const answersCome: Law = {
  id: 'answers-come',
  phase: 'every answer',
  title: 'Every request is answered.',
  advice: 'Find out why the connection ended or timed out, and answer with problem details instead.',
  everyAnswer: ({ view, reply }) =>
    reply.status === 0
      ? [
          {
            operation: view?.id,
            contract: view?.pointer ?? '',
            message: `Expected an answer, got none: ${reply.text}.`,
          },
        ]
      : [],
}
