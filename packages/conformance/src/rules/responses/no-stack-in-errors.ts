import type { Rule } from '../../engine/rule.ts'

/** Lines of a stack, files with lines, and the words of databases; a statement of SQL is in capitals. */
const TRACES =
  /\n\s+at .+[:(]\d+|Traceback \(most recent|\.(?:js|ts|py|go|java|rb):\d+|\bSQLSTATE\b|node_modules|\b(?:SELECT [^"]+ FROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b/

export const noStackInErrors: Rule = {
  id: 'no-stack-in-errors',
  phase: 'responses',
  cites: { standard: 'CWE-209: error messages without internal details' },
  title: 'No error shows a stack, a file or a statement of the service.',
  advice: 'Log it under the request id, and send problem details instead.',
  judgeResponse: ({ view, response }) => {
    if (response.status < 400) return undefined
    if (!TRACES.test(response.text.replaceAll('\\n', '\n'))) return []
    const message = 'Expected words for the caller, got a trace of the program.'
    return [{ operation: view?.id, contract: view?.pointer ?? '', message }]
  },
}
