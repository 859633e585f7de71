import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { vi } from 'vitest'

/** A shell that lives from one command to the next, as that of a person does. */
export interface Terminal {
  /** What was printed since the start, on both outputs. */
  readonly printed: string
  /** Runs a command to its end; answers its exit code. */
  run(command: string): Promise<number>
  /** Ends the shell and all that it started. */
  close(): Promise<void>
}

interface Place {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

export function openTerminal(place: Place): Terminal {
  // A group of its own, so that what it leaves running can be ended with it.
  const child = spawn('sh', { ...place, detached: true })
  const output = gather(child)
  let count = 0
  return {
    get printed() {
      return output.text
    },
    async run(command) {
      const end = `__end_${++count}__`
      child.stdin.write(`${command}\necho ${end} $?\n`)
      const [, code] = await vi.waitFor(() => ended(output.text, end), { timeout: 20_000, interval: 10 })
      return Number(code)
    },
    async close() {
      if (child.pid && child.exitCode === null) {
        process.kill(-child.pid)
        await once(child, 'exit')
      }
    },
  }
}

function ended(text: string, end: string): RegExpExecArray {
  const found = new RegExp(`${end} (\\d+)\n`).exec(text)
  if (!found) throw new Error(`the command has not ended; printed so far:\n${text}`)
  return found
}

/** What a process prints. */
export function gather(child: ChildProcess): { text: string } {
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output.text += chunk
    })
  return output
}
