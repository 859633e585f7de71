import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const home = new URL('../', import.meta.url)

test('the program that the README opens with runs, on the built package', () => {
  const [, program = ''] = /```ts\n(.*?)```/s.exec(readFileSync(new URL('README.md', home), 'utf8')) ?? []
  const options = { cwd: home, input: program, encoding: 'utf8' } as const
  expect(execFileSync(process.execPath, ['--input-type=module-typescript', '-'], options)).toBe(
    'qrcode.paid\n',
  )
})
