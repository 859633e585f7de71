import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { vi } from 'vitest'

export type Terminal = ReturnType<typeof openTerminal>

/** Opens a shell that runs several commands in one session. It exits at the first failed command. */
export function openTerminal(place: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
  // The shell has its own process group, so that everything it starts can be ended.
  const child = spawn('sh', ['-e'], { ...place, detached: true })
  const output = gather(child)
  let count = 0
  return {
    /** Everything printed since the start, on both outputs. */
    get printed() {
      return output.text
    },
    /** Runs commands, and waits for them. Throws an error with the output if one of them fails. */
    async run(commands: string): Promise<void> {
      const end = `__end_${++count}__`
      child.stdin.write(`${commands}\necho ${end}\n`)
      const isOver = () => output.text.includes(end) || child.exitCode !== null
      await vi.waitUntil(isOver, { timeout: 60_000, interval: 10 })
      if (!output.text.includes(end)) throw new Error(`a command failed; printed so far:\n${output.text}`)
    },
    /** Ends the shell and all processes that it started. */
    async close(): Promise<void> {
      const exit = child.exitCode === null ? once(child, 'exit') : undefined
      try {
        // A failed shell may have left processes behind.
        if (child.pid) process.kill(-child.pid)
      } catch (error) {
        // The group has no processes left.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
      await exit
    },
  }
}

/** Collects the output of a process. */
export function gather(child: ChildProcess): { text: string } {
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output.text += chunk
    })
  return output
}
