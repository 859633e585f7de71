import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isClosed } from '../src/output.ts'

test.each([
  { what: 'a pipe without a reader', code: 'EPIPE', isTTY: false, expected: true },
  { what: 'a terminal that was closed', code: 'EIO', isTTY: true, expected: true },
  { what: 'a broken disk', code: 'EIO', isTTY: false, expected: false },
  { what: 'a full disk', code: 'ENOSPC', isTTY: false, expected: false },
])(
  'it says of $what whether nobody reads the output any more: $expected',
  ({ code, isTTY, expected }) => {
    expect(isClosed({ code }, { isTTY })).toBe(expected)
  },
)

/** Runs a program whose stdout cannot be written, as on a full disk, in a process of its own. */
function runWithoutStdout(program: string) {
  const output = new URL('../src/output.ts', import.meta.url)
  const source = `import { handleOutputErrors } from '${output}'; handleOutputErrors(); ${program}`
  // Open for reading alone, so that each write fails on every system.
  const readOnly = openSync(fileURLToPath(import.meta.url), 'r')
  try {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', source],
      { stdio: ['ignore', readOnly, 'pipe'], encoding: 'utf8', timeout: 20_000 },
    )
    return { status, stderr }
  } finally {
    closeSync(readOnly)
  }
}

test.each([
  { when: 'before the command has ended', program: 'process.exitCode = 1' },
  {
    when: 'while it goes on',
    program: 'setTimeout(() => { process.stdout.write("b"); process.exitCode = 1 }, 10)',
  },
])('it says once that output cannot be written, $when, and exits with 2', ({ program }) => {
  const { status, stderr } = runWithoutStdout(`process.stdout.write("a"); ${program}`)
  expect(stderr).toMatch(/^Not all of stdout could be written: .+\n$/)
  expect(status).toBe(2)
})
