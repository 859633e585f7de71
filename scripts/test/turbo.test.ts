import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

it('keeps stdout for the command that follows', () => {
  const { status, stdout, stderr } = turbo('run', 'build', '--dry')
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  expect(stderr).toContain('Tasks to Run')
})

it('prints nothing with --quiet while turbo succeeds', () => {
  const { status, stdout, stderr } = turbo('--quiet', 'run', 'build', '--dry')
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
})

it('prints with --quiet why turbo failed, and has its exit code', () => {
  const { status, stdout, stderr } = turbo('--quiet', 'run', 'no-such-task')
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain('no-such-task')
})

function turbo(...args: string[]) {
  return spawnSync(process.execPath, ['scripts/turbo.ts', ...args], { cwd: ROOT, encoding: 'utf8' })
}
