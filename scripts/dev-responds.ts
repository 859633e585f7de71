/**
 * `node scripts/dev-responds.ts`, in CI on each platform: starts `dev`, waits until its three URLs respond, and stops it.
 * Exit codes: 0 all responded, 1 one did not within five minutes.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const LIMIT_MS = 300_000
const URLS = ['http://127.0.0.1:4000', 'http://127.0.0.1:4010', 'http://127.0.0.1:4020']

const dev = spawn(process.execPath, [join(import.meta.dirname, 'dev.ts')], { stdio: 'inherit' })
const ended = once(dev, 'exit', { signal: AbortSignal.timeout(LIMIT_MS) })
const failure = await Promise.race([
  Promise.all(URLS.map(firstResponse)).then(() => undefined),
  ended.then(
    ([code]) => `dev ended with exit code ${code}`,
    () => `dev did not respond at ${URLS.join(', ')} within ${LIMIT_MS / 1000} s`,
  ),
])
process.stderr.write(`${failure ?? `dev responds at ${URLS.join(', ')}`}\n`)
if (dev.exitCode === null) {
  const stopped = once(dev, 'exit')
  dev.kill('SIGINT')
  await stopped
}
process.exit(failure === undefined ? 0 : 1)

/** Any status will do: the mock has no page at `/`. */
async function firstResponse(url: string): Promise<void> {
  while (!(await fetch(url).catch(() => undefined))) await sleep(500)
}
