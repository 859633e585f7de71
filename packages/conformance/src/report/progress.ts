import type { Progress } from '../run.ts'
import { count } from './text.ts'

/** A stream such as stderr. */
export interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const CLEAR = '\r\u001b[2K'

/**
 * Shows the progress of a run: on a terminal one line that is rewritten, in a log a line per plan.
 *
 * @example
 * const progress = createProgress(process.stderr)
 * await check({ ...options, onProgress: progress.update }).finally(progress.end)
 */
export function createProgress(stream: ProgressStream): { update(progress: Progress): void; end(): void } {
  const { isTTY = false, columns } = stream
  return {
    update({ plan, number, plans, requests, findings }) {
      const text = `plan ${number} of ${plans} (${plan}), ${count(requests, 'request')}, ${count(findings, 'finding')}`
      stream.write(isTTY ? CLEAR + text.slice(0, (columns || 80) - 1) : `${text}\n`)
    },
    end() {
      if (isTTY) stream.write(CLEAR)
    },
  }
}
