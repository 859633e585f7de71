import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const home = new URL('../', import.meta.url)
const readme = readFileSync(new URL('README.md', home), 'utf8')
const programs = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, program = '']) => program)

function run(program: string | undefined): string {
  const options = { cwd: home, input: program ?? '', encoding: 'utf8' } as const
  return execFileSync(process.execPath, ['--input-type=module-typescript', '-'], options)
}

test('every link of the README is absolute, so that it works on npm', () => {
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link)
  expect(links.length).toBeGreaterThan(0)
  expect(links.filter((link) => !link?.startsWith('https://'))).toEqual([])
})

test('the first program of the README prints its documented output with the built package', () => {
  const said = [...(programs[0] ?? '').matchAll(/^\/\/ (.*\n)/gm)].map(([, line]) => line)
  expect(said).toHaveLength(2)
  expect(run(programs[0])).toBe(said.join(''))
})

test('the server example runs', () => {
  expect(programs).toHaveLength(2)
  expect(run(programs[1])).toBe('405 POST\n')
})
