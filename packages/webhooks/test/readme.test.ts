import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const home = new URL('../', import.meta.url)

const readme = readFileSync(new URL('README.md', home), 'utf8')

test('every link of the README is absolute, so that it works on npm', () => {
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link)
  expect(links.length).toBeGreaterThan(0)
  expect(links.filter((link) => !link?.startsWith('https://'))).toEqual([])
})

test('the first program of the README runs with the built package', () => {
  const [, program = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
  const options = { cwd: home, input: program, encoding: 'utf8' } as const
  expect(execFileSync(process.execPath, ['--input-type=module-typescript', '-'], options)).toBe(
    'qrcode.paid\n',
  )
})
