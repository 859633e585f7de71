import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { TestName } from './bugs.ts'
import { run } from './run.ts'

/** A copy of the clone in a temporary folder, in which bugs are planted. */
export interface Tree {
  readonly root: string
  /** Generates what tests need besides sources, and returns the error if that fails. */
  build(): Promise<string | undefined>
  /** Runs the selected tests until the first that fails. */
  test(selection: Selection): Promise<Outcome>
}

/** Test files of projects: those whose path contains one of the texts, or all. */
export interface Selection {
  readonly projects: readonly string[]
  readonly paths?: readonly string[]
}

export type Outcome =
  | { readonly state: 'passed' }
  | { readonly state: 'failed'; readonly test: TestName; readonly isTimeout: boolean }
  /** Vitest ended without a verdict. */
  | { readonly state: 'broken'; readonly reason: string }

const INSTALL_MS = 10 * 60_000
const BUILD_MS = 5 * 60_000
const TEST_MS = 10 * 60_000

/** Copies the clone at `root` with its uncommitted changes to tracked files, runs `work`, and removes the copy. */
export async function inTree<T>(root: string, signal: AbortSignal, work: (tree: Tree) => Promise<T>) {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'))
  // As root, PostgreSQL runs under another user, who must reach its files.
  chmodSync(folder, 0o755)
  const copy = join(folder, 'tree')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  // The commit of the changes stays in this clone; git asks for a name all the same.
  const somebody = ['-c', 'user.name=planted', '-c', 'user.email=planted@localhost']
  git('worktree', 'add', '--quiet', '--detach', copy, git(...somebody, 'stash', 'create') || 'HEAD')
  try {
    const options = { cwd: copy, signal, limitMs: INSTALL_MS }
    const { code, output } = await run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], options)
    if (code !== 0) throw new Error(`pnpm install failed in ${copy}:\n${output}`)
    return await work(treeAt(copy, join(folder, 'report.json'), signal))
  } finally {
    git('worktree', 'remove', '--force', copy)
    rmSync(folder, { recursive: true, force: true })
  }
}

function treeAt(root: string, report: string, signal: AbortSignal): Tree {
  const at = (limitMs: number) => ({ cwd: root, signal, limitMs })
  return {
    root,
    async build() {
      const turbo = ['scripts/turbo.ts', 'run', 'build']
      const { code, output } = await run(process.execPath, turbo, at(BUILD_MS))
      return code === 0 ? undefined : output
    },
    async test({ projects, paths = [] }) {
      rmSync(report, { force: true })
      // Files that need a process of their own are in a second project.
      const names = projects.flatMap((name) => [`--project=${name}`, `--project=${name} alone`])
      const args = ['run', '--bail=1', '--passWithNoTests', '--reporter=json', `--outputFile=${report}`]
      const vitest = join(root, 'node_modules/.bin/vitest')
      const { code, output } = await run(vitest, [...args, ...names, ...paths], at(TEST_MS))
      return code === 0 ? { state: 'passed' } : outcomeOf(root, report, code, output)
    },
  }
}

/** What the JSON reporter of vitest writes of a file, as far as it is read here. */
interface FileReport {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly assertionResults: readonly {
    readonly fullName: string
    readonly status: string
    readonly failureMessages: readonly string[]
  }[]
}

function outcomeOf(root: string, report: string, code: number | undefined, output: string): Outcome {
  if (code === undefined)
    return { state: 'broken', reason: `the tests took more than ${TEST_MS / 60_000} min` }
  for (const { name, status, message, assertionResults } of readReport(report)) {
    const file = relative(root, name)
    const failed = assertionResults.find((test) => test.status === 'failed')
    if (failed) return failedTest(file, failed.fullName, failed.failureMessages.join('\n'))
    // A hook or an import failed, so no test of the file ran.
    if (status === 'failed' && message) return failedTest(file, '', message)
  }
  return { state: 'broken', reason: `vitest failed without a failed test:\n${output}` }
}

function readReport(report: string): readonly FileReport[] {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : []
}

function failedTest(file: string, title: string, messages: string): Outcome {
  return { state: 'failed', test: { file, title }, isTimeout: /tim(ed|e) ?out/i.test(messages) }
}
