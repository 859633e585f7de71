import { setMaxListeners } from 'node:events'

/** Ends a run early. */
export interface Stop {
  readonly signal: AbortSignal
  /** The first reason; undefined while the run continues. */
  readonly reason: string | undefined
  now(reason: string): void
  /** Stops listening to the signal of the options. */
  done(): void
}

function reasonOf({ reason }: AbortSignal): string {
  return typeof reason === 'string' ? reason : 'the run was aborted'
}

/** @param outer Also ends the run; a string as its reason becomes the reason of the stop. */
export function createStop(outer?: AbortSignal): Stop {
  const controller = new AbortController()
  let reason: string | undefined
  const now = (why: string) => {
    reason ??= why
    controller.abort()
  }
  const abort = () => outer && now(reasonOf(outer))
  // Every pending exchange adds a listener.
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
