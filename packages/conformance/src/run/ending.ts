/** What ends a run early. */
export interface Ending {
  /** Aborts when the run ends. */
  readonly signal: AbortSignal
  end(reason: string): void
  /** Ends the run, whose result would lack what could not be read. */
  fail(error: unknown): void
  throwIfFailed(): void
}

/**
 * Creates what ends a run early: a signal, and the functions that abort it. The signal of the user aborts
 * it too. `end` is called when the service stops responding, and `fail` with an error of a rule, which
 * `throwIfFailed` throws at the end.
 */
export function createEnding(userSignal: AbortSignal | undefined): Ending {
  const controller = new AbortController()
  let failure: { readonly error: unknown } | undefined

  const endByUser = () => controller.abort(userSignal?.reason)
  userSignal?.addEventListener('abort', endByUser)
  if (userSignal?.aborted) endByUser()

  return {
    signal: controller.signal,
    end: (reason: string) => controller.abort(reason),
    fail(error: unknown): void {
      failure = { error }
      controller.abort()
    },
    throwIfFailed(): void {
      if (failure) throw failure.error
    },
  }
}
