import { setMaxListeners } from 'node:events'

/** Ends a run before all is tried. */
export interface Stop {
  readonly signal: AbortSignal
  /** Why: the first reason counts. Undefined while the run goes on. */
  readonly reason: string | undefined
  now(reason: string): void
  /** Listens to the caller's signal no more. */
  done(): void
}

/** Why somebody ended a run, in words. */
export function reasonOf({ reason }: AbortSignal): string {
  return typeof reason === 'string' ? reason : 'the run was aborted'
}

/** @param outer Ends the run too; where it was aborted for a reason in words, for that one. */
export function createStop(outer?: AbortSignal): Stop {
  const controller = new AbortController()
  let reason: string | undefined
  const now = (why: string) => {
    reason ??= why
    controller.abort()
  }
  const abort = () => outer && now(reasonOf(outer))
  // Every exchange that is under way listens.
  setMaxListeners(0, controller.signal)
  if (outer?.aborted) abort()
  outer?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    get reason() {
      return reason
    },
    now,
    done: () => outer?.removeEventListener('abort', abort),
  }
}
