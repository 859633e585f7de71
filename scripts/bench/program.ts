import {
  type ChildProcessWithoutNullStreams,
  type SpawnOptionsWithoutStdio,
  spawn,
} from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

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

  constructor(command: string, args: readonly string[], options: SpawnOptionsWithoutStdio = {}) {
    this.#isGroup = options.detached === true
    this.child = spawn(command, args, options)
    for (const name of ['stdout', 'stderr'] as const)
      this.child[name].setEncoding('utf8').on('data', (text: string) => {
        this[name] += text
      })
    this.ended = once(this.child, 'close').then(([code]) => {
      return { code, stdout: this.stdout, stderr: this.stderr }
    })
  }

  /**
   * Waits until one of the outputs matches. Rejects if the program ends before, or after five
   * minutes.
   */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const until = Date.now() + 300_000
    for (;;) {
      const isOver = this.#hasEnded() || Date.now() > until
      const found = pattern.exec(this.stdout) ?? pattern.exec(this.stderr)
      if (found) return found
      if (isOver) throw new Error(`it did not print ${pattern}:\n${this.stdout}${this.stderr}`)
      await sleep(10)
    }
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    if (!this.#hasEnded()) process.kill(Number(this.child.pid) * (this.#isGroup ? -1 : 1), signal)
    return this.ended
  }

  #hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL')
  }
}
