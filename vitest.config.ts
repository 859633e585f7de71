import { existsSync, readdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const rooms = [
  'spec',
  'docs',
  'scripts',
  'bench',
  'chromium',
  'campaign',
  ...['packages', 'examples'].flatMap((folder) =>
    readdirSync(`${import.meta.dirname}/${folder}`).map((name) => `${folder}/${name}`),
  ),
]

/** How many times as much the tests do that try random cases, or one thing again and again: `pnpm campaign`. */
const CAMPAIGN = Number(process.env.CAMPAIGN ?? 1)

// Tests start many processes, of which each would compile the same files.
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/node`

/** Files that replace a module, fetch or the environment, so that nobody can share what their worker has loaded. */
const ALONE: Readonly<Record<string, readonly string[]>> = {
  docs: ['test/inbox.test.ts', 'test/inbox-shared.test.ts', 'test/receivers.test.ts'],
  'packages/client': ['test/msw.test.ts', 'test/msw2.test.ts'],
}

export default defineConfig({
  test: {
    reporters: process.env.CI ? ['default', 'json'] : ['default'],
    outputFile: { json: 'test-report.json' },
    // One more than the two cores: many files wait, for processes, for browsers, for deliveries that are tried again.
    maxWorkers: 3,
    // Tests that run at once within a file are such that wait.
    maxConcurrency: 10,
    projects: rooms.flatMap((root) => [
      project(root, root, ['test/**/*.test.ts'], ALONE[root]),
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
      exclude: [...(exclude ?? [])],
      // Files share what each worker has loaded: much of their time was loading.
      isolate: exclude === undefined && ALONE[root] !== undefined,
      globalSetup: setupOf(root),
      // These only end what hangs: on a busy machine a test may take long.
      expect: { poll: { timeout: 60_000 } },
      testTimeout: 120_000 * CAMPAIGN,
      hookTimeout: 120_000,
    },
  }
}

/** What the files of a room share, where it has such a thing. */
function setupOf(root: string): string[] {
  const file = `${import.meta.dirname}/${root}/test/setup.ts`
  return existsSync(file) ? [file] : []
}
