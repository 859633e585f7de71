/**
 * `node scripts/test.ts <argument of vitest …>` builds, then runs vitest beside the lint and the types, whose errors it prints below
 * the tests. Exits with 1 if anything failed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { runTurbo } from './turbo.ts'

const ROOT = resolve(import.meta.dirname, '..')
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')

process.exitCode = (await runTurbo(['run', 'build'])) || (await runTests())

async function runTests(): Promise<number> {
  const tests = spawn(process.execPath, [VITEST, ...process.argv.slice(2)], { cwd: ROOT, stdio: 'inherit' })
  const ended = once(tests, 'close')
  const lint = await runTurbo(['run', 'lint:types', 'lint:code', 'lint:unused'], true, ended)
  const [failed] = await ended
  return failed || lint ? 1 : 0
}
