import type { Rule } from '../../engine/rule.ts'
import { placeOf } from './place.ts'

/** Stack frames, source files with line numbers, and statements and errors of databases. */
const TRACES =
  /\n[ \t]+at .+[:(]\d+|Traceback \(most recent|\.(?:js|ts|py|go|java|rb):\d+|\bSQLSTATE\b|node_modules|\b(?:SELECT [^"]{1,500} FROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b/

export const noStackInErrors: Rule = {
  id: 'no-stack-in-errors',
  phase: 'responses',
  cites: { standard: 'CWE-209: error messages without internal details' },
  title: 'No error shows a stack trace, a source file or an SQL statement of the service.',
  advice: 'Log the error under the request id, and return problem details instead.',
  judgeResponse: (exchange) => {
    const { status, text } = exchange.response
    if (status < 400) return undefined
    if (!TRACES.test(text.replaceAll('\\n', '\n'))) return []
    const message = 'Expected an error message for clients, got internal details of the service.'
    return [{ ...placeOf(exchange), message }]
  },
}
