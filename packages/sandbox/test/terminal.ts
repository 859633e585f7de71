import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { vi } from 'vitest'

/** A shell that runs several commands in one session. */
export interface Terminal {
  /** Everything printed since the start, on both outputs. */
  readonly printed: string
  /**
   * Runs commands, and waits for them.
   *
   * @throws {Error} with the output, if one of them fails
   */
  run(commands: string): Promise<void>
  /** Ends the shell and all processes that it started. */
  close(): Promise<void>
}

interface Place {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

export function openTerminal(place: Place): Terminal {
  // The shell has its own process group, so that everything it starts can be ended. It exits at the first failed
  // command.
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

/** A failed shell may have left processes behind. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid)
  } catch (error) {
    // The group has no processes left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const WAIT = { timeout: 60_000, interval: 10 }

/** Collects the output of a process. */
export function gather(child: ChildProcess): { text: string } {
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output.text += chunk
    })
  return output
}
