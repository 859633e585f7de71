import { spawn } from 'node:child_process'
import { once } from 'node:events'

interface CommandResult {
  /** Undefined if the time limit ended it. */
  readonly code: number | undefined
  /** The end of what it wrote. */
  readonly output: string
}

/** Where it runs, how long, and the signal that ends it. */
interface RunOptions {
  readonly cwd: string
  readonly signal: AbortSignal
  readonly limitMs: number
}

const KEPT_CHARACTERS = 4_000

/**
 * Runs a command in its own process group, so that its end is also the end of the processes that it started.
 *
 * @throws the reason of the signal, if it ended the command
 */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, signal, limitMs }: RunOptions,
): Promise<CommandResult> {
  signal.throwIfAborted()
  const env = { ...process.env, CI: 'true', NO_COLOR: '1' }
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-KEPT_CHARACTERS)
    })
  const late = AbortSignal.timeout(limitMs)
  const ending = AbortSignal.any([signal, late])
  // Tests that hang may not hear anything else.
  const stop = () => child.pid && process.kill(-child.pid, late.aborted ? 'SIGKILL' : 'SIGTERM')
  ending.addEventListener('abort', stop)
  const [code] = await once(child, 'exit').finally(() => ending.removeEventListener('abort', stop))
  signal.throwIfAborted()
  return { code: late.aborted ? undefined : (code ?? 1), output }
}
