import { type Bug, plant, type TestName } from './bugs.ts'
import type { Selection, Tree } from './tree.ts'

/** For each package, the tests of the packages that use it which see most of its bugs. */
const TESTS_OF_DEPENDENTS: Readonly<Record<string, readonly Selection[]>> = {
  'packages/brcode': [
    { projects: ['packages/sandbox'], paths: ['test/codes', 'test/qrcodes', 'test/transfers'] },
    { projects: ['packages/cli'] },
  ],
  'packages/client': [
    { projects: ['examples/web'] },
    { projects: ['docs'], paths: ['test/samples'] },
  ],
  'packages/sandbox': [
    { projects: ['packages/cli', 'examples/web'] },
    { projects: ['packages/conformance'], paths: ['test/run.test'] },
  ],
  'packages/webhooks': [{ projects: ['packages/sandbox'], paths: ['deliveries'] }],
}

/** Creates the judge of a tree without bugs. It plants one bug at a time, and removes it again. */
export function createJudge(tree: Tree) {
  /** Test files that passed without a bug. */
  const soundFiles = new Set<string>()

  /**
   * Returns the first test that fails because of a bug, if one does. Rejects if that cannot be
   * said.
   */
  async function judge(bug: Bug): Promise<TestName | undefined> {
    const restore = plant(tree.root, bug)
    const test = await firstFailure(tree, bug).finally(restore)
    // A test that fails without the bug too says nothing about it.
    if (test) await requireSound([test.file])
    return test
  }

  /** Runs test files without a bug, each once. Rejects if one does not pass. */
  async function requireSound(files: readonly string[]): Promise<void> {
    const paths = [...new Set(files)].filter((file) => !soundFiles.has(file))
    if (paths.length === 0) return
    await tree.build()
    const test = await tree.test(selectFiles(paths))
    if (test) throw new Error(`without a bug this test fails too: ${formatTest(test)}`)
    for (const path of paths) soundFiles.add(path)
  }

  return { judge, requireSound }
}

/**
 * The first test that fails because of a bug; undefined if none does. Runs the test that is
 * recorded, then those of its package, then those of packages that use it.
 */
async function firstFailure(tree: Tree, bug: Bug): Promise<TestName | undefined> {
  await tree.build()
  for (const selection of selectTests(bug)) {
    const test = await tree.test(selection)
    if (!test) continue
    if (test.file === bug.firstRedTest?.file) return test
    // On a busy machine, other tests fail now and then.
    const repeated = await tree.test(selectFiles([test.file]))
    if (!repeated) throw new Error(`failed once, but not when it was repeated: ${formatTest(test)}`)
    return repeated
  }
  return undefined
}

/**
 * The tests that may find a bug, in the order in which they are run: the file that found it before,
 * those of its package, and those of the packages that use that one.
 */
function selectTests({ file, firstRedTest }: Bug): Selection[] {
  const ownPackage = file.replace(/\/src\/.*/, '')
  const selections = [{ projects: [ownPackage] }, ...(TESTS_OF_DEPENDENTS[ownPackage] ?? [])]
  if (!firstRedTest) return selections
  return [selectFiles([firstRedTest.file]), ...selections]
}

/** Test files, with the projects that they belong to. */
function selectFiles(paths: readonly string[]): Selection {
  const projects = new Set(paths.map((file) => file.replace(/\/test\/.*/, '')))
  return { projects: [...projects], paths }
}

export function formatTest({ file, title }: TestName): string {
  return title ? `${file} > ${title}` : file
}
