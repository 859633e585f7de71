import type { Finding } from '../result.ts'

/** Findings in the message of a test that fails. */
export function linesOf(head: string, findings: readonly Finding[]): string {
  return [head, ...findings.map(lineOf)].join('\n')
}

function lineOf({ law, operation, message, contract, question, count }: Finding): string {
  const who = operation === undefined ? law : `${operation}, ${law}`
  const why = question === undefined ? '' : `, an answer of ours to "${question}"`
  return `- ${who}: ${message} (${contract || 'no place in the contract'}${why}${count > 1 ? `; ${count} times` : ''})`
}
