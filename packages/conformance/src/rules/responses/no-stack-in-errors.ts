import type { Law } from '../../engine/rule.ts'

/** Lines of a stack, files with lines, and the words of databases; a statement of SQL is in capitals. */
const TRACES =
  /\n\s+at .+[:(]\d+|Traceback \(most recent|\.(?:js|ts|py|go|java|rb):\d+|\bSQLSTATE\b|node_modules|\b(?:SELECT [^"]+ FROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b/

export const noStackInErrors: Law = {
  id: 'no-stack-in-errors',
  phase: 'every answer',
  title: 'No error shows a stack, a file or a statement of the service.',
  advice: 'Log it under the request id, and send problem details instead.',
  everyAnswer: ({ view, reply }) => {
    if (reply.status < 400) return undefined
    if (!TRACES.test(reply.text.replaceAll('\\n', '\n'))) return []
    const message = 'Expected words for the caller, got a trace of the program.'
    return [{ operation: view?.id, contract: view?.pointer ?? '', message }]
  },
}
