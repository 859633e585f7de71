import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serve } from '@partner-payments/mock'
import { afterAll, describe, expect, test } from 'vitest'
import { programs } from '../programs.ts'

const mock = await serve({ port: 0 })
afterAll(() => mock.close())

describe.each([...programs])('%s', (_page, all) => {
  test.each(all)('program %$ prints what its comments say', async (program) => {
    expect(await printedBy(program)).toEqual(saidBy(program))
  })
})

test('an invalid program fails', async () => {
  const [right = ''] = programs.get('../README.md') ?? []
  await expect(printedBy(right.replace('keys.check', 'keys.look'))).rejects.toThrow('keys.look')
})

function saidBy(program: string): string[] {
  return [...program.matchAll(/console\.log\(.*\) \/\/ (.*)/g)].map(([, comment = '']) => comment)
}

async function printedBy(program: string): Promise<string[]> {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const running = promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-'], {
    cwd,
  })
  running.child.stdin?.end(program.replace('http://127.0.0.1:4010', mock.url))
  const { stdout } = await running
  return stdout.split('\n').slice(0, -1)
}
