import type { Answered } from '../service/service.ts'

/** Requests that are remembered. */
const KEPT = 100

/** Remembers the last requests, for the page. */
export interface Recorder {
  record(answered: Answered): void
  /** The newest first. */
  last(): readonly Answered[]
  /** Forgets all of them. */
  clear(): void
}

export function createRecorder(): Recorder {
  const kept: Answered[] = []
  return {
    record(answered) {
      kept.push(answered)
      if (kept.length > KEPT) kept.shift()
    },
    last: () => kept.toReversed(),
    clear() {
      kept.length = 0
    },
  }
}
