import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A Node of its own that runs a script. */
export interface Child {
  /** What it wrote to stdout first, without the end of the line. Rejects when it ends without a line. */
  readonly firstLine: Promise<string>
  /** kill -9, and its end. */
  kill(): Promise<void>
}

/** Starts a script that holds something until it is killed, and says on stdout when it has it. */
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
