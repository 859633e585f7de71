import { existsSync, globSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

// Tests start many processes, of which each would compile the same files.
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/node`

const FOLDERS = ['spec', 'docs', 'scripts', 'packages/*', 'examples/*']

/** `pnpm test` runs all but `nightly`. A file that replaces globals or modules runs alone. */
const KINDS = [
  { kind: '', include: ['test/**/*.test.ts'], exclude: ['test/nightly/**', '**/*.alone.test.ts'] },
  { kind: ' alone', include: ['test/*.alone.test.ts'], isolate: true },
  { kind: ' nightly', include: ['test/nightly/**/*.test.ts'], testTimeout: 3_600_000 },
]

export default defineConfig({
  test: {
    reporters: process.env.CI ? ['default', 'json'] : ['default'],
    outputFile: { json: 'test-report.json' },
    // One more than the two cores: many files wait, for processes, for browsers, for deliveries
    // that are tried again.
    maxWorkers: 3,
    // Tests that run at once within a file are such that wait.
    maxConcurrency: 10,
    projects: globSync(FOLDERS, { cwd: import.meta.dirname }).flatMap(projectsOf),
  },
})

function projectsOf(folder: string) {
  const root = `${import.meta.dirname}/${folder}`
  // What the files of a folder share, such as PostgreSQL.
  const globalSetup = [`${root}/test/setup.ts`].filter(existsSync)
  // Files share what each worker has loaded. The limits of time only end what hangs.
  const limits = {
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // The title of a row is a whole sentence, which the default of 40 characters cuts.
    taskTitleValueFormatTruncate: 200,
  }
  return KINDS.filter(({ include }) => globSync(include, { cwd: root }).length > 0).map(
    ({ kind, ...own }) => {
      const name = folder.replaceAll('\\', '/') + kind
      return { test: { name, root, globalSetup, isolate: false, ...limits, ...own } }
    },
  )
}
