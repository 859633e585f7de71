import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

it.each([
  ['scripts/dev.ts', ['--bogus']],
  ['scripts/example.ts', ['--bogus']],
  ['scripts/flows.ts', ['--target', 'nope']],
  ['scripts/flows.ts', ['--bogus']],
  ['scripts/breaking.ts', ['--bogus']],
  ['scripts/pack-all.ts', ['--bogus']],
  ['scripts/pack-all.ts', ['one', 'two']],
  ['scripts/size.ts', ['--bogus']],
  ['bench/cli.ts', ['--bogus']],
])('%s refuses %j with exit code 2 and one message', (file, args) => {
  const { status, stderr } = spawnSync(process.execPath, [file, ...args], { cwd: ROOT, encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stderr).toMatch(/^(dev|example|flows|breaking|pack:all|size|bench): /)
  expect(stderr).not.toMatch(/\n +at /)
})
