import type { Rule } from '../../engine/rule.ts'

export const responseReceived: Rule = {
  id: 'response-received',
  phase: 'responses',
  cites: 'contract',
  title: 'Every request is answered.',
  advice: 'Find out why the connection ended or timed out, and answer with problem details instead.',
  judgeResponse: ({ view, response }) =>
    response.status === 0
      ? [
          {
            operation: view?.id,
            contract: view?.pointer ?? '',
            message: `Expected an answer, got none: ${response.text}.`,
          },
        ]
      : [],
}
