/**
 * `node build/cli.ts [--check]` builds spec/dist, or only checks the contract. Prints the file,
 * line and rule of each problem and exits with 1.
 */
import { buildSpec, checkSpec } from './build.ts'
import { printProblems } from './check.ts'

const NOT_BUILT = 'The contract was not built; the last good build stays in place.'
const started = performance.now()
const isCheck = process.argv.includes('--check')
const { problems, operations } = await (isCheck ? checkSpec() : buildSpec()).catch(fail)

if (problems.length > 0) {
  printProblems(problems)
  process.stderr.write(`Problems: ${problems.length}. ${NOT_BUILT}\n`)
  process.exitCode = 1
} else {
  const ms = Math.round(performance.now() - started)
  process.stderr.write(
    `${isCheck ? 'Checked' : 'Built'} the contract of ${operations} operations in ${ms} ms.\n`,
  )
}

/** Reports unreadable files and errors of the second validator. */
function fail(error: Error): never {
  process.stderr.write(`${error.message}\n${NOT_BUILT}\n`)
  process.exit(1)
}
