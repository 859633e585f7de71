import { formatProblems, getTotals, type NormalizedProblem } from '@redocly/openapi-core'

/** Formats each problem with its file, line and rule. */
export function printProblems(problems: NormalizedProblem[]): void {
  if (problems.length === 0) return
  formatProblems(problems, { format: 'codeframe', totals: getTotals(problems), version: '' })
}
