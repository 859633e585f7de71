/** `node build/cli.ts`: builds spec/dist, or says file, line and rule of what is wrong and exits 1. */
import { formatProblems, getTotals } from '@redocly/openapi-core'
import { buildSpec } from './build.ts'

const started = performance.now()
const { problems, operations } = await buildSpec()
if (problems.length > 0) {
  formatProblems(problems, { format: 'codeframe', totals: getTotals(problems), version: '' })
  process.stderr.write(
    `The contract was not built (problems: ${problems.length}); the last good build stays in place.\n`,
  )
  process.exitCode = 1
} else {
  const ms = Math.round(performance.now() - started)
  process.stderr.write(`Built the contract of ${operations} operations in ${ms} ms.\n`)
}
