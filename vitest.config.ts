import { existsSync, readdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const rooms = [
  'spec',
  'docs',
  'scripts',
  'bench',
  'chromium',
  ...['packages', 'examples'].flatMap((folder) =>
    readdirSync(`${import.meta.dirname}/${folder}`).map((name) => `${folder}/${name}`),
  ),
]

export default defineConfig({
  test: {
    reporters: process.env.CI ? ['default', 'json'] : ['default'],
    outputFile: { json: 'test-report.json' },
    projects: rooms.map((root) => ({
      test: {
        name: root,
        root,
        include: ['test/**/*.test.ts'],
        globalSetup: setupOf(root),
        testTimeout: 30_000,
        hookTimeout: 60_000,
      },
    })),
  },
})

/** What the files of a room share, where it has such a thing. */
function setupOf(root: string): string[] {
  const file = `${import.meta.dirname}/${root}/test/setup.ts`
  return existsSync(file) ? [file] : []
}
