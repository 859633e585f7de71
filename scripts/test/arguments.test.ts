import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

const run = (file: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, [file, ...args], { cwd: ROOT, encoding: 'utf8' })

it.each([
  ['dev', 'scripts/dev.ts'],
  ['example', 'scripts/example.ts'],
  ['flows', 'scripts/flows.ts'],
  ['changes', 'scripts/changes.ts'],
  ['bench', 'scripts/bench.ts'],
  ['pack:all', 'scripts/pack-all.ts'],
  ['planted', 'scripts/planted.ts'],
  ['prism', 'scripts/prism.ts'],
  ['size', 'scripts/size.ts'],
  ['versions', 'scripts/versions.ts'],
])('%s prints its name and two examples for --help', (name, file) => {
  const { status, stdout } = run(file, '--help')
  const command = `npx -y pnpm@12 ${name}`
  expect(stdout).toMatch(new RegExp(`^Usage: ${command} [[<]`))
  expect(stdout).toMatch(new RegExp(`\nExamples:\n(  ${command}( .+)?\n){2}\nExit codes: 0 .+\\.\n$`))
  expect(status).toBe(0)
})

it.each([
  ['scripts/dev.ts', ['--bogus']],
  ['scripts/example.ts', ['--bogus']],
  ['scripts/flows.ts', ['--target', 'nope']],
  ['scripts/flows.ts', ['--bogus']],
  ['scripts/changes.ts', ['--bogus']],
  ['scripts/changes.ts', ['nope']],
  ['scripts/pack-all.ts', ['--bogus']],
  ['scripts/pack-all.ts', ['one', 'two']],
  ['scripts/planted.ts', ['--bogus']],
  ['scripts/prism.ts', ['nope']],
  ['scripts/size.ts', ['--bogus']],
  ['scripts/versions.ts', ['nope']],
  ['scripts/bench.ts', ['--bogus']],
])('%s refuses %j with exit code 2 and one message', (file, args) => {
  const { status, stderr } = run(file, ...args)
  expect(status).toBe(2)
  expect(stderr).toMatch(/^(dev|example|flows|changes|pack:all|planted|prism|size|bench|versions): /)
  expect(stderr.match(/\bnope\b|--bogus|one folder/g)).toHaveLength(1)
  expect(stderr).not.toMatch(/\n +at /)
})
