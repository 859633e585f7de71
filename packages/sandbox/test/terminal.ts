import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { vi } from 'vitest'

/** A shell that lives from one command to the next, as that of a person does. */
export interface Terminal {
  /** What was printed since the start, on both outputs. */
  readonly printed: string
  /**
   * Runs commands to their end.
   *
   * @throws {Error} with what was printed, where one of them fails.
   */
  run(commands: string): Promise<void>
  /** Ends the shell and all that it started. */
  close(): Promise<void>
}

interface Place {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

export function openTerminal(place: Place): Terminal {
  // A group of its own, so that what it leaves running can be ended with it. It ends at the first command that fails.
  const child = spawn('sh', ['-e'], { ...place, detached: true })
  const output = gather(child)
  let count = 0
  return {
    get printed() {
      return output.text
    },
    async run(commands) {
      const end = `__end_${++count}__`
      child.stdin.write(`${commands}\necho ${end}\n`)
      await vi.waitUntil(() => output.text.includes(end) || child.exitCode !== null, WAIT)
      if (!output.text.includes(end)) throw new Error(`a command failed; printed so far:\n${output.text}`)
    },
    async close() {
      const exit = child.exitCode === null ? once(child, 'exit') : undefined
      endGroup(child)
      await exit
    },
  }
}

/** A shell that has failed may have left behind what it started. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid)
  } catch (error) {
    // Nothing of it is left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const WAIT = { timeout: 60_000, interval: 10 }

/** What a process prints. */
export function gather(child: ChildProcess): { text: string } {
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output.text += chunk
    })
  return output
}
