import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A Node process that runs a script. */
interface Child {
  /** The first line on stdout, without its line feed. Rejects if the process exits before. */
  readonly firstLine: Promise<string>
  /** Sends SIGKILL, and waits for the exit. */
  kill(): Promise<void>
  /** Ends its standard input, and waits for the exit. */
  stop(): Promise<void>
}

/** Starts a script that holds a resource until it is stopped, and prints a line when it has it. */
export function startChild(script: URL, args: readonly string[], env: Record<string, string> = {}): Child {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    env: { ...process.env, ...env },
  })
  const ended = once(child, 'exit')
  let errors = ''
  child.stderr.on('data', (data) => {
    errors += data
  })
  const line = once(createInterface(child.stdout), 'line').then(([text]) => String(text))
  const early = ended.then(() => Promise.reject(new Error(`the child ended: ${errors}`)))
  return {
    firstLine: Promise.race([line, early]),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
