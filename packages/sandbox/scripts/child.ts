import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A Node process that runs a script. */
export interface Child {
  /** The first line on stdout, without its line feed. Rejects if the process exits before. */
  readonly firstLine: Promise<string>
  /** Sends SIGKILL, and waits for the exit. */
  kill(): Promise<void>
}

/** Starts a script that holds a resource until it is killed, and prints a line when it has it. */
export function startChild(script: URL, args: readonly string[], env: Record<string, string> = {}): Child {
  const child = spawn(process.execPath, [script.pathname, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const ended = once(child, 'exit')
  return {
    firstLine: firstLineOf(child, ended),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function firstLineOf(child: ChildProcess, ended: Promise<unknown>): Promise<string> {
  let errors = ''
  child.stderr?.on('data', (data) => {
    errors += data
  })
  if (!child.stdout) throw new Error('the child has no stdout')
  const line = once(createInterface(child.stdout), 'line').then(([text]) => String(text))
  const early = ended.then(() => Promise.reject(new Error(`the child ended: ${errors}`)))
  return Promise.race([line, early])
}
