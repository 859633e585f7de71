import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { aimsOf, complaintOf, sizesOf } from '../size.ts'

it('counts the tracked files and lines of each package and folder, and their sum', () => {
  const root = mkdtempSync(join(tmpdir(), 'size-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const write = (file: string, lines: number) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), 'line\n'.repeat(lines))
  }
  write('packages/validator/src/index.ts', 2)
  write('packages/validator/test/index.test.ts', 1)
  write('packages/validator/bench/speed.bench.ts', 3)
  write('scripts/dev.ts', 1)
  write('docs/theme/Page.vue', 1)
  write('docs/notes.md', 1)
  execFileSync('git', ['init', '--quiet'], { cwd: root })
  execFileSync('git', ['add', '.'], { cwd: root })
  write('untracked.ts', 1)
  expect(Object.fromEntries(sizesOf(root))).toEqual({
    'packages/validator': { source: 2, tests: 1, tools: 3, lines: 6, files: 3 },
    scripts: { source: 0, tests: 0, tools: 1, lines: 1, files: 1 },
    docs: { source: 1, tests: 0, tools: 0, lines: 1, files: 1 },
    sum: { source: 3, tests: 1, tools: 4, lines: 8, files: 5 },
  })
})

it('has aims for areas that exist', () => {
  const known = [...sizesOf(join(import.meta.dirname, '../..')).keys()]
  expect(known).toEqual(expect.arrayContaining(aimsOf(new Map()).flatMap(({ areas }) => areas.split(', '))))
})

it('complains if the sum is above an aim, and says what is above its own', () => {
  const aimed = (areas: string, now: number) => ({ areas, measure: 'lines' as const, now, aim: 100 })
  expect(complaintOf([aimed('docs', 101), aimed('sum', 100)])).toBeUndefined()
  expect(complaintOf([aimed('docs', 101), aimed('spec', 99), aimed('sum', 103)])).toBe(
    `size: the sum is above the aims of scripts/size-aims.json. Remove:
  1 lines of docs: expected 100, got 101
  3 lines of sum: expected 100, got 103
`,
  )
})
