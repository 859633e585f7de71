import { type Bug, plant, type TestName } from './bugs.ts'
import type { Outcome, Selection, Tree } from './tree.ts'

export type Verdict =
  | { readonly state: 'red'; readonly test: TestName }
  | { readonly state: 'green' }
  /** The bug says nothing about the tests, because something else went wrong. */
  | { readonly state: 'build error' | 'unjudged'; readonly reason: string }

/** The tests of its users that see most of a package. */
const USERS: Readonly<Record<string, readonly Selection[]>> = {
  'packages/brcode': [
    { projects: ['packages/sandbox'], paths: ['test/codes', 'test/qrcodes', 'test/transfers'] },
    { projects: ['packages/cli'] },
  ],
  'packages/client': [{ projects: ['examples/web'] }, { projects: ['docs'], paths: ['test/samples'] }],
  'packages/sandbox': [
    { projects: ['packages/cli', 'examples/web'] },
    { projects: ['packages/conformance'], paths: ['test/run.test'] },
  ],
  'packages/webhooks': [{ projects: ['packages/sandbox'], paths: ['deliveries'] }],
}

/** Creates the judge of a tree without bugs. It plants one bug at a time, and removes it again. */
export function createJudge(tree: Tree) {
  /** Test files that passed without a bug. */
  const sound = new Set<string>()

  async function judge(bug: Bug): Promise<Verdict> {
    const restore = plant(tree.root, bug)
    const verdict = await search(tree, bug).finally(restore)
    return verdict.state === 'red' ? doubted(verdict) : verdict
  }

  /** A test that fails without the bug too says nothing about it. */
  async function doubted(verdict: Verdict & { state: 'red' }): Promise<Verdict> {
    const { file } = verdict.test
    const reason = await check([file])
    return reason === undefined ? verdict : { state: 'unjudged', reason }
  }

  /** Runs test files without a bug. Returns why they do not pass. */
  async function check(files: readonly string[]): Promise<string | undefined> {
    const paths = files.filter((file) => !sound.has(file))
    if (paths.length === 0) return undefined
    const failure = await tree.build()
    if (failure !== undefined) return `the build fails without a bug:\n${failure}`
    const outcome = await tree.test({ projects: [...new Set(paths.map(projectOf))], paths })
    if (outcome.state === 'broken') return `without a bug: ${outcome.reason}`
    if (outcome.state === 'failed') return `without a bug this test fails too: ${nameOf(outcome.test)}`
    for (const path of paths) sound.add(path)
    return undefined
  }

  return { judge, check }
}

/** Runs the likely tests first, then all of the package, then those of its users. */
async function search(tree: Tree, bug: Bug): Promise<Verdict> {
  const failure = await tree.build()
  if (failure !== undefined) return { state: 'build error', reason: failure }
  for (const selection of selectionsFor(bug)) {
    const outcome = await tree.test(selection)
    if (outcome.state === 'broken') return { state: 'unjudged', reason: outcome.reason }
    if (outcome.state === 'failed') return confirmed(tree, bug, outcome)
  }
  return { state: 'green' }
}

/** Repeats the file of a new failure, or of a timeout: on a busy machine, other tests fail now and then. */
async function confirmed(tree: Tree, bug: Bug, first: Outcome & { state: 'failed' }): Promise<Verdict> {
  const { file } = first.test
  if (file === bug.firstRedTest?.file && !first.isTimeout) return { state: 'red', test: first.test }
  const second = await tree.test({ projects: [projectOf(file)], paths: [file] })
  if (second.state === 'failed') return { state: 'red', test: second.test }
  return { state: 'unjudged', reason: `failed once, but not when it was repeated: ${nameOf(first.test)}` }
}

function selectionsFor(bug: Bug): Selection[] {
  const own = packageOf(bug)
  const all: Selection = { projects: [own] }
  const likely = { ...all, paths: wordsOf(bug).map((word) => `${own}/test/${word}`) }
  const { firstRedTest } = bug
  const recorded = firstRedTest && { projects: [projectOf(firstRedTest.file)], paths: [firstRedTest.file] }
  return [...(recorded ? [recorded] : []), likely, all, ...(USERS[own] ?? [])]
}

/** The folder and the name of the file: tests in a folder or file of that name are likely to fail. */
function wordsOf({ file }: Bug): string[] {
  return file
    .replace(/^.*\/src\//, '')
    .replace(/\.ts$/, '')
    .split('/')
}

function packageOf({ file }: Bug): string {
  return file.replace(/\/src\/.*/, '')
}

function projectOf(testFile: string): string {
  return testFile.replace(/\/test\/.*/, '')
}

export function nameOf({ file, title }: TestName): string {
  return title ? `${file} > ${title}` : file
}
