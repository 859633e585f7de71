/**
 * `node scripts/turbo.ts [--quiet] run <task …>` runs turbo without telemetry. Errors of tasks go to stderr, because stdout belongs
 * to the command that follows; with `--quiet` it is printed only if turbo fails. Exit codes: those of turbo.
 */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
/** Node runs it on every platform. What `.bin` has is a shell script, or a batch file on Windows. */
const TURBO = join(ROOT, 'node_modules/turbo/bin/turbo')

/** Returns the exit code. */
export function runTurbo(args: readonly string[], isQuiet = false): number {
  const options: SpawnSyncOptions = {
    cwd: ROOT,
    stdio: isQuiet ? 'pipe' : ['inherit', 2, 2],
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  }
  const command = [TURBO, ...args, '--output-logs=errors-only']
  const { status, error, stdout, stderr } = spawnSync(process.execPath, command, options)
  if (error) throw error
  if (isQuiet && status !== 0) process.stderr.write(`${stdout}${stderr}`)
  return status ?? 1
}

if (import.meta.main) {
  const [first = '', ...others] = process.argv.slice(2)
  const isQuiet = first === '--quiet'
  process.exitCode = runTurbo(isQuiet ? others : [first, ...others], isQuiet)
}
