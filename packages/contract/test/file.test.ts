import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readTextFile } from '../src/file.ts'

const folder = mkdtempSync(join(tmpdir(), 'text-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)

test('a file is read', () => {
  writeFileSync(file('a.txt'), 'é\n')
  expect(readTextFile(file('a.txt'))).toBe('é\n')
})

test('a folder, a file without content, and one that is too large are refused by what they are', () => {
  expect(() => readTextFile(folder)).toThrow('it is a folder, and no file')
  writeFileSync(file('empty'), '')
  expect(() => readTextFile(file('empty'))).toThrow('it has no content')
  // Has no blocks on the disk.
  writeFileSync(file('large'), '')
  truncateSync(file('large'), 600_000_001)
  expect(() => readTextFile(file('large'))).toThrow('it has 601 MB, and may have 500 MB')
  expect(() => readTextFile(file('none'))).toThrow(expect.objectContaining({ code: 'ENOENT' }))
})

test.skipIf(process.platform === 'win32')('what may never end is refused at once', () => {
  execFileSync('mkfifo', [file('pipe')])
  expect(() => readTextFile(file('pipe'))).toThrow('it is a pipe, and no file')
  expect(() => readTextFile('/dev/zero')).toThrow('it is a device, and no file')
})

test.runIf(process.platform === 'linux')('a file that the system makes is refused', () => {
  expect(() => readTextFile('/proc/self/status')).toThrow('or is a file of the system')
})
