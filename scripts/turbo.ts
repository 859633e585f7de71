/**
 * `node scripts/turbo.ts [--quiet] run <task …>` runs turbo without telemetry. Errors of tasks go
 * to stderr, because stdout belongs to the command that follows; with `--quiet` it is printed only
 * if turbo fails. Exit codes: those of turbo.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
/**
 * Node runs it on every platform. What `.bin` has is a shell script, or a batch file on Windows.
 */
const TURBO = join(ROOT, 'node_modules/turbo/bin/turbo')

/** Runs turbo, and resolves with its exit code. With `isQuiet`, it prints only if turbo fails. */
export async function runTurbo(args: readonly string[], isQuiet = false): Promise<number> {
  const output = isQuiet ? 'pipe' : 2
  const child = spawn(process.execPath, [TURBO, ...args, '--output-logs=errors-only'], {
    cwd: ROOT,
    stdio: ['inherit', output, output],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DOCS_YEAR: yearNow() },
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => chunks.push(chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) process.stderr.write(Buffer.concat(chunks))
  return code ?? 1
}

/** Builds the docs anew in another year, since the page of bank holidays shows this one. */
function yearNow(): string {
  return String(new Date().getUTCFullYear())
}

if (import.meta.main) {
  const [first = '', ...others] = process.argv.slice(2)
  const isQuiet = first === '--quiet'
  process.exitCode = await runTurbo(isQuiet ? others : [first, ...others], isQuiet)
}
