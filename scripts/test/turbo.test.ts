import { resolve } from 'node:path'
import { Program } from '@partner-payments/programs'
import { expect, it } from 'vitest'

const SCRIPT = resolve(import.meta.dirname, '../turbo.ts')

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

it('takes the year into the hash of the docs, whose bank holidays are those of this year', async () => {
  const args = ['run', 'build', '--filter=@partner-payments/docs', '--dry=json']
  const { ended } = new Program(process.execPath, [SCRIPT, ...args])
  const { stderr } = await ended
  const { tasks } = JSON.parse(stderr.slice(stderr.indexOf('{')))
  const docs = tasks.find(
    ({ taskId }: { taskId: string }) => taskId === '@partner-payments/docs#build',
  )
  expect(docs.environmentVariables.configured.join()).toMatch(/\bDOCS_YEAR=/)
})

for (const { what, args, code, stderr } of CASES)
  it(`${what}: ${JSON.stringify(args)} ends with ${code}`, async () => {
    const { ended } = new Program(process.execPath, [SCRIPT, ...args])
    expect(await ended).toEqual({ code, stdout: '', stderr: expect.stringMatching(stderr) })
  })
