import {
  type ChildProcessWithoutNullStreams,
  type SpawnOptionsWithoutStdio,
  spawn,
} from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

const PRINT_LIMIT_MS = 5 * 60_000
const POLL_MS = 10

/** What a program printed, and its exit code; null if a signal ended it. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * A program that runs in a process of its own; in a process group of its own, if it is detached.
 */
export class Program {
  stdout = ''
  stderr = ''
  readonly child: ChildProcessWithoutNullStreams
  readonly ended: Promise<Ended>
  readonly #isGroup: boolean

  /** Starts the program, and keeps what it prints. */
  constructor(command: string, args: readonly string[], options: SpawnOptionsWithoutStdio = {}) {
    this.#isGroup = options.detached === true
    this.child = spawn(command, args, options)
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
    })
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    this.ended = once(this.child, 'close').then(([code]) => {
      return { code, stdout: this.stdout, stderr: this.stderr }
    })
  }

  /**
   * Waits until one of the outputs matches, and returns the match. Rejects if the program ends
   * before, or after five minutes.
   */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const end = Date.now() + PRINT_LIMIT_MS
    for (;;) {
      // Before the outputs, which may grow until the end.
      const isOver = this.#hasEnded() || Date.now() > end
      const match = pattern.exec(this.stdout) ?? pattern.exec(this.stderr)
      if (match) return match
      if (isOver) throw new Error(`it did not print ${pattern}:\n${this.stdout}${this.stderr}`)
      await sleep(POLL_MS)
    }
  }

  /** Sends a signal to the program or to its group, and resolves with its end. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    if (this.#hasEnded()) return this.ended
    const pid = Number(this.child.pid)
    // A negative number means the whole group.
    process.kill(this.#isGroup ? -pid : pid, signal)
    return this.ended
  }

  #hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL')
  }
}
