import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { sizesOf } from '../size.ts'

it('counts the tracked files and lines of each package and folder, and their sum', () => {
  const root = repositoryOf({
    'packages/validator/src/index.ts': 'one\ntwo\n',
    'packages/validator/test/index.test.ts': 'one\n',
    'packages/validator/bench/speed.bench.ts': 'one\ntwo\nthree\n',
    'docs/theme/Page.vue': 'one\n',
    'docs/notes.md': 'not counted\n',
    'vitest.config.ts': 'one\n',
  })
  writeFileSync(join(root, 'untracked.ts'), 'not counted\n')
  const sizes = sizesOf(root)
  expect(sizes.get('packages/validator')).toMatchObject({
    source: { files: 1, lines: 2, aim: expect.any(Number) },
    tests: { files: 1, lines: 1, aim: expect.any(Number) },
    other: { files: 1, lines: 3 },
  })
  expect(sizes.get('docs')?.source).toMatchObject({ files: 1, lines: 1 })
  expect(sizes.get('sum')?.source).toMatchObject({ files: 3, lines: 4 })
  expect(sizes.size).toBe(4)
})

function repositoryOf(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'size-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  execFileSync('git', ['init', '--quiet'], { cwd: root })
  execFileSync('git', ['add', '.'], { cwd: root })
  return root
}
