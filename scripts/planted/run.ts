import { spawn } from 'node:child_process'

export interface CommandResult {
  /** Undefined if the time limit ended it. */
  readonly code: number | undefined
  /** The end of what it wrote. */
  readonly output: string
}

interface RunOptions {
  readonly cwd: string
  /** Ends the command, and rejects. */
  readonly signal: AbortSignal
  readonly limitMs: number
}

const KEPT_CHARACTERS = 4_000
const GRACE_MS = 5_000

/** Runs a command in its own process group, so that its end is also the end of the processes that it started. */
export async function run(
  command: string,
  args: readonly string[],
  options: RunOptions,
): Promise<CommandResult> {
  const { cwd, signal, limitMs } = options
  signal.throwIfAborted()
  const env = { ...process.env, CI: 'true', NO_COLOR: '1' }
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-KEPT_CHARACTERS)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise((resolve, reject) => {
    let isLate = false
    const stop = () => {
      kill(child.pid, 'SIGTERM')
      setTimeout(() => kill(child.pid, 'SIGKILL'), GRACE_MS)
    }
    const limit = setTimeout(() => {
      isLate = true
      stop()
    }, limitMs)
    signal.addEventListener('abort', stop, { once: true })
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(limit)
      signal.removeEventListener('abort', stop)
      if (signal.aborted) reject(signal.reason)
      else resolve({ code: isLate ? undefined : (code ?? 1), output })
    })
  })
}

function kill(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid) process.kill(-pid, signal)
  } catch {
    // All of the group have ended.
  }
}
