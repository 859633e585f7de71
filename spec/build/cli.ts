/** `node build/cli.ts`: builds spec/dist, or says file, line and rule of what is wrong and exits with 1. */
import { buildSpec } from './build.ts'
import { printProblems } from './problems.ts'

const started = performance.now()
const { problems, operations } = await buildSpec().catch(fail)
if (problems.length > 0) {
  printProblems(problems)
  process.stderr.write(
    `The contract was not built (problems: ${problems.length}); the last good build stays in place.\n`,
  )
  process.exitCode = 1
} else {
  const ms = Math.round(performance.now() - started)
  process.stderr.write(`Built the contract of ${operations} operations in ${ms} ms.\n`)
}

/** What cannot be read, or what the second validator refuses. */
function fail(error: Error): never {
  process.stderr.write(`${error.message}\nThe contract was not built; the last good build stays in place.\n`)
  process.exit(1)
}
