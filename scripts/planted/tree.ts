import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Program } from '@partner-payments/programs'
import type { JsonTestResults } from 'vitest/node'
import type { TestName } from './bugs.ts'

/** A copy of the clone in a temporary folder, in which bugs are planted. */
export interface Tree {
  readonly root: string
  /** Generates what tests need besides sources. Rejects if that fails. */
  build(): Promise<void>
  /**
   * Runs the selected tests, and returns the first that fails. Rejects if vitest ends without a
   * verdict.
   */
  test(selection: Selection): Promise<TestName | undefined>
}

/** Test files of projects: those whose path contains one of the texts, or all. */
export interface Selection {
  readonly projects: readonly string[]
  readonly paths?: readonly string[]
}

/** A command that takes longer hangs. */
const LIMIT_MS = 10 * 60_000
const KEPT_CHARACTERS = 4_000

/**
 * Runs `work` in a copy of the clone at `root`, in which bugs can be planted, and removes the copy.
 * The copy has the uncommitted changes to tracked files.
 */
export async function withTree<T>(
  root: string,
  signal: AbortSignal,
  work: (tree: Tree) => Promise<T>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'))
  const copy = join(folder, 'tree')
  git(root, 'worktree', 'add', '--quiet', '--detach', copy, commitChanges(root) || 'HEAD')
  try {
    const run = createRunner(copy, signal)
    const { isOk, output } = await run('pnpm', 'install', '--frozen-lockfile', '--prefer-offline')
    if (!isOk) throw new Error(`pnpm install failed in ${copy}:\n${output}`)
    return await work(createTree(copy, join(folder, 'report.json'), run))
  } finally {
    git(root, 'worktree', 'remove', '--force', copy)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A commit of the uncommitted changes to tracked files; empty if there are none. */
function commitChanges(root: string): string {
  // The commit stays in this clone; git asks for a name all the same.
  const somebody = ['-c', 'user.name=planted', '-c', 'user.email=planted@localhost']
  return git(root, ...somebody, 'stash', 'create')
}

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
}

/**
 * The copy as a tree in which tests can run. `test` returns the first failed test, or undefined.
 */
function createTree(root: string, report: string, run: Run): Tree {
  return {
    root,
    async build() {
      const { isOk, output } = await run(process.execPath, 'scripts/turbo.ts', 'run', 'build')
      if (!isOk) throw new Error(`the build fails:\n${output}`)
    },
    /**
     * Runs tests, and returns the first that fails; undefined if all pass. Rejects if vitest itself
     * fails.
     */
    async test({ projects, paths = [] }) {
      rmSync(report, { force: true })
      const vitest = join(root, 'node_modules/.bin/vitest')
      const flags = [
        '--bail=1',
        '--passWithNoTests',
        '--reporter=json',
        `--outputFile=${report}`,
        // Files that need a process of their own are in a second project.
        ...projects.flatMap((name) => [`--project=${name}`, `--project=${name} alone`]),
      ]
      const { isOk, output } = await run(vitest, 'run', ...flags, ...paths)
      if (isOk) return undefined

      const failure = readFailure(root, report)
      if (!failure) throw new Error(`vitest failed without a failed test:\n${output}`)
      return failure
    },
  }
}

/** Reads the first failed test of a report of vitest. */
function readFailure(root: string, report: string): TestName | undefined {
  if (!existsSync(report)) return undefined

  const { testResults }: JsonTestResults = JSON.parse(readFileSync(report, 'utf8'))
  const failedFiles = testResults.filter(({ status }) => status === 'failed')
  // The end at the first failure also fails files that were running. In a file without a failed
  // test, a hook or an import may have failed.
  const file = failedFiles.find(findFailedTest) ?? failedFiles[0]
  if (!file) return undefined
  return { file: relative(root, file.name), title: findFailedTest(file)?.fullName ?? '' }
}

function findFailedTest({ assertionResults }: JsonTestResults['testResults'][number]) {
  return assertionResults.find(({ status }) => status === 'failed')
}

type Run = (command: string, ...args: string[]) => Promise<{ isOk: boolean; output: string }>

/**
 * Creates the function that runs a command in the copy, and returns its exit and the end of its
 * output. Each command has a process group, so that its end is also that of the processes which it
 * started. A run rejects with the reason of the signal if that ended it.
 */
function createRunner(cwd: string, signal: AbortSignal): Run {
  return async (command, ...args) => {
    signal.throwIfAborted()
    const env = { ...process.env, CI: 'true', NO_COLOR: '1' }
    const program = new Program(command, args, { cwd, env, detached: true })
    const late = AbortSignal.timeout(LIMIT_MS)
    const ending = AbortSignal.any([signal, late])
    // Tests that hang may not hear anything else.
    ending.addEventListener('abort', () => program.stop(late.aborted ? 'SIGKILL' : 'SIGTERM'))
    const { code, stdout, stderr } = await program.ended
    signal.throwIfAborted()
    if (late.aborted) throw new Error(`${command} took more than ${LIMIT_MS / 60_000} min`)
    return { isOk: code === 0, output: (stdout + stderr).slice(-KEPT_CHARACTERS) }
  }
}
