import type { Finding } from '../engine/result.ts'
import { oneLine } from '../model/visible.ts'

const MAX_LINES = 20

/** Lists findings in the message of a failing test. */
export function failureMessage(head: string, findings: readonly Finding[]): string {
  const rest = findings.length - MAX_LINES
  const more = rest > 0 ? [`- and ${rest} more`] : []
  return [head, ...findings.slice(0, MAX_LINES).map(lineOf), ...more].join('\n')
}

function lineOf({ rule, operation, message, contract, question, count }: Finding): string {
  const identity = operation === undefined ? rule : `${operation}, ${rule}`
  const why = question === undefined ? '' : `, an assumption on "${question}"`
  return oneLine(
    `- ${identity}: ${message} (${contract || 'no place in the contract'}${why}${count > 1 ? `; ${count} times` : ''})`,
  )
}
