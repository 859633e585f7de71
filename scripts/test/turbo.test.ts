import { resolve } from 'node:path'
import { Program } from '@partner-payments/bench'
import { expect, it } from 'vitest'

it.each([
  ['keeps stdout for the command that follows', ['run', 'build', '--dry'], 0, /Tasks to Run/],
  [
    'prints nothing with --quiet while turbo succeeds',
    ['--quiet', 'run', 'build', '--dry'],
    0,
    /^$/,
  ],
  ['prints with --quiet why turbo failed', ['--quiet', 'run', 'no-such-task'], 1, /no-such-task/],
] as const)('%s: %j ends with %i', async (_, args, code, stderr) => {
  const script = resolve(import.meta.dirname, '../turbo.ts')
  const { ended } = new Program(process.execPath, [script, ...args])
  expect(await ended).toEqual({ code, stdout: '', stderr: expect.stringMatching(stderr) })
})
