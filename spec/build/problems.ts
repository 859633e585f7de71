import { formatProblems, getTotals, type NormalizedProblem } from '@redocly/openapi-core'

/** Prints each problem with its file, line and rule. */
export function printProblems(problems: NormalizedProblem[]): void {
  formatProblems(problems, { format: 'codeframe', totals: getTotals(problems), version: '' })
}
