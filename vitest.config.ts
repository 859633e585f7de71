import { existsSync, readdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { IS_CAMPAIGN, SCALE } from './campaign/index.ts'

const packages = [
  // First those whose files take long, so that none of them runs alone at the end.
  'scripts',
  'docs',
  'packages/conformance',
  'packages/sandbox',
  'spec',
  'bench',
  'chromium',
  'campaign',
  ...['packages', 'examples'].flatMap((folder) =>
    readdirSync(`${import.meta.dirname}/${folder}`).map((name) => `${folder}/${name}`),
  ),
].filter((it, index, all) => all.indexOf(it) === index)

/** The files that take longest, in the order in which those of a package begin. */
const LONG = [
  'readme',
  'tarballs',
  'browser',
  'sandbox-and-mock',
  'live',
  'guide',
  'page',
  'drawing',
  'flows',
]

// Tests start many processes, of which each would compile the same files.
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/node`

/** Files that only a campaign runs: they try much, and each has a neighbour that tries the same with less. */
const ONLY_IN_CAMPAIGN: Readonly<Record<string, readonly string[]>> = {
  chromium: ['unpacked'],
  scripts: ['breaking', 'flows'],
  'packages/mock': ['dynamic'],
  'packages/validator': ['differential', 'hostile'],
  'packages/sandbox': ['hostile', 'hostile-wire', 'kill', 'plans'],
  'packages/conformance': ['rules/busy-machine'],
}

/** Files that replace a module, fetch or the environment, so that nobody can share what their worker has loaded. */
const ALONE: Readonly<Record<string, readonly string[]>> = {
  docs: ['test/inbox.test.ts', 'test/inbox-shared.test.ts', 'test/receivers.test.ts'],
  'packages/client': ['test/msw.test.ts', 'test/msw2.test.ts'],
}

/** Files in the order of their packages, which share what their workers have loaded, and long ones first. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => packageOf(a) - packageOf(b) || rankOf(a) - rankOf(b))
  }
}

function packageOf({ project }: TestSpecification): number {
  const [root = ''] = project.name.split(' ')
  return packages.indexOf(root) * 2 + (project.name === root ? 0 : 1)
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return rank < 0 ? LONG.length : rank
}

export default defineConfig({
  test: {
    reporters: process.env.CI ? ['default', 'json'] : ['default'],
    outputFile: { json: 'test-report.json' },
    // One more than the two cores: many files wait, for processes, for browsers, for deliveries that are tried again.
    maxWorkers: 3,
    // Tests that run at once within a file are such that wait.
    maxConcurrency: 10,
    sequence: { sequencer: LongFirst },
    projects: packages.flatMap((root) => [
      project(root, root, ['test/**/*.test.ts'], ['test/nightly/**', ...(ALONE[root] ?? [])]),
      project(`${root} nightly`, root, ['test/nightly/**/*.test.ts']),
      ...(ALONE[root] ? [project(`${root} (alone)`, root, ALONE[root])] : []),
    ]),
  },
})

function project(name: string, root: string, include: readonly string[], exclude?: readonly string[]) {
  return {
    test: {
      name,
      root,
      include: [...include],
      exclude: [...(exclude ?? []), ...leftOut(root)],
      // Files share what each worker has loaded: much of their time was loading.
      isolate: name.endsWith('(alone)'),
      globalSetup: setupOf(root),
      // These only end what hangs: on a busy machine a test may take long.
      expect: { poll: { timeout: 60_000 } },
      testTimeout: 300_000 * SCALE,
      hookTimeout: 120_000,
    },
  }
}

function leftOut(root: string): string[] {
  const names = IS_CAMPAIGN ? [] : (ONLY_IN_CAMPAIGN[root] ?? [])
  return names.map((name) => `test/${name}.test.ts`)
}

/** What the files of a package share, where it has such a thing. */
function setupOf(root: string): string[] {
  const file = `${import.meta.dirname}/${root}/test/setup.ts`
  return existsSync(file) ? [file] : []
}
