import { readdirSync } from 'node:fs'
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
        testTimeout: 30_000,
        hookTimeout: 60_000,
      },
    })),
  },
})
