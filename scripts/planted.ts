import type { Arguments, CommandTable } from '@partner-payments/command'
import { readScriptArguments } from './arguments.ts'
import { type Bug, explainMisfit, readBugs, recordBug, type TestName } from './planted/bugs.ts'
import { createJudge, formatTest } from './planted/judge.ts'
import { type Tree, withTree } from './planted/tree.ts'

const ROOT = `${import.meta.dirname}/..`

const TABLE = {
  about: `Plants the bugs of scripts/planted/bugs.json one at a time in a copy of this clone, and checks that those that turned
a test red when they were recorded still do. Other bugs are skipped unless you name them.`,
  operands: { usage: '[id...]', help: 'the bugs; by default those that turned a test red' },
  options: { record: { help: 'record the bugs that have no record yet, or those that you name' } },
  examples: ['', 'take-unchecked'],
  exitCodes:
    '0 every bug is as recorded, 1 a bug is not, or could not be judged, 2 wrong arguments',
} as const satisfies CommandTable

const settings = readScriptArguments('planted', TABLE, toSettings)
process.exitCode = await main(settings, abortOnSignals()).catch((error: unknown) => {
  process.stderr.write(`planted: ${error instanceof Error ? error.message : error}\n`)
  return 1
})

interface Settings {
  readonly bugs: readonly Bug[]
  readonly isRecording: boolean
}

/**
 * What to do: which bugs to plant, and whether to record the results. Without names, it is all bugs
 * that were not recorded yet, or those that tests must find.
 */
function toSettings({ values, operands }: Arguments<typeof TABLE.options>): Settings {
  const bugs = readBugs()
  const ids = bugs.map(({ id }) => id)
  const unknown = operands.find((id) => !ids.includes(id))
  if (unknown) throw new Error(`no bug "${unknown}"; there are ${ids.join(', ')}`)

  const isRecording = values.record ?? false
  const isNamed = ({ id }: Bug) => operands.includes(id)
  if (operands.length > 0) return { bugs: bugs.filter(isNamed), isRecording }

  const isUnrecorded = ({ isRed }: Bug) => isRed === undefined
  const mustBeFound = ({ isRed }: Bug) => isRed === true
  return { bugs: bugs.filter(isRecording ? isUnrecorded : mustBeFound), isRecording }
}

/** A signal that is aborted when somebody ends the process, so that the copy of the clone is removed first. */
function abortOnSignals(): AbortSignal {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => ending.abort(new Error(`ended by ${signal}`)))
  return ending.signal
}

/** Plants the bugs in a copy of this clone, prints what the tests did with each, and returns the exit code. */
async function main({ bugs, isRecording }: Settings, ending: AbortSignal): Promise<number> {
  const misfits = bugs.flatMap((bug) => explainMisfit(ROOT, bug) ?? [])
  if (misfits.length > 0) throw new Error(misfits.join('\nplanted: '))

  let failures = 0
  if (bugs.length > 0) {
    failures = await withTree(ROOT, ending, (tree) => judgeAll(tree, { bugs, isRecording }, ending))
  }
  const result = isRecording ? 'recorded' : 'as recorded'
  process.stdout.write(`${bugs.length - failures} of ${bugs.length} bugs ${result}\n`)
  return failures > 0 ? 1 : 0
}

/** Returns the number of bugs that are not as recorded, or that cannot be judged. */
async function judgeAll(
  tree: Tree,
  { bugs, isRecording }: Settings,
  ending: AbortSignal,
): Promise<number> {
  const { judge, requireSound } = createJudge(tree)
  await tree.build()
  // A test that fails without a bug proves nothing. All run at once, which is faster than after
  // each bug.
  if (!isRecording) await requireSound(bugs.flatMap(({ firstRedTest }) => firstRedTest?.file ?? []))

  let failures = 0
  for (const [index, bug] of bugs.entries()) {
    process.stderr.write(`planted: ${index + 1} of ${bugs.length}: ${bug.id}\n`)
    try {
      const test = await judge(bug)
      const wasMissed = bug.isRed === true && !test
      if (isRecording) recordBug(bug, test)
      else if (wasMissed) failures++
      process.stdout.write(`${describeVerdict(bug, test)}\n`)
    } catch (error) {
      ending.throwIfAborted()
      failures++
      process.stdout.write(`unjudged ${bug.id}: ${(error as Error).message}\n`)
    }
  }
  return failures
}

function describeVerdict({ id }: Bug, firstRedTest: TestName | undefined): string {
  if (!firstRedTest) return `green ${id}: no test fails`
  return `red ${id}: ${formatTest(firstRedTest)}`
}
