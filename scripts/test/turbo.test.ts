import { resolve } from 'node:path'
import { Program } from '@partner-payments/bench'
import { expect, it } from 'vitest'

const CASES = [
  {
    what: 'keeps stdout for the command that follows',
    args: ['run', 'build', '--dry'],
    code: 0,
    stderr: /Tasks to Run/,
  },
  {
    what: 'prints nothing with --quiet while turbo succeeds',
    args: ['--quiet', 'run', 'build', '--dry'],
    code: 0,
    stderr: /^$/,
  },
  {
    what: 'prints with --quiet why turbo failed',
    args: ['--quiet', 'run', 'no-such-task'],
    code: 1,
    stderr: /no-such-task/,
  },
]

for (const { what, args, code, stderr } of CASES)
  it(`${what}: ${JSON.stringify(args)} ends with ${code}`, async () => {
    const script = resolve(import.meta.dirname, '../turbo.ts')
    const { ended } = new Program(process.execPath, [script, ...args])
    expect(await ended).toEqual({ code, stdout: '', stderr: expect.stringMatching(stderr) })
  })
