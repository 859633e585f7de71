import type { Queries } from './store.ts'

/**
 * Limits queries to one transaction. After a failure, all later queries send nothing and reject with
 * the same error. Otherwise SQLite, which may have rolled back, would commit each by itself, and
 * PostgreSQL would hide the error behind one of its own.
 */
export function createTransaction({ get, all, run }: Queries) {
  let isOpen = true
  let failure: { readonly error: unknown } | undefined

  /** Throws the first error of the transaction, and lets all later queries reject with it. */
  function fail(error: unknown): never {
    failure ??= { error }
    throw failure.error
  }

  /**
   * Wraps a kind of query so that it works only inside the transaction: it throws after the end of
   * the transaction, and after its first failure, with the error of that failure.
   */
  function guard<Args extends unknown[], Result>(ask: (...args: Args) => Promise<Result>) {
    return async (...args: Args): Promise<Result> => {
      if (!isOpen) throw new Error('a statement came after the end of its transaction')
      if (failure) throw failure.error
      try {
        return await ask(...args)
      } catch (error) {
        return fail(error)
      }
    }
  }

  const queries: Queries = {
    get: guard(get) as Queries['get'],
    all: guard(all) as Queries['all'],
    run: guard(run),
  }
  return {
    /**
     * Runs the work of the transaction. Rejects if a statement failed, even if the work ignores
     * that.
     */
    async run<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
      try {
        const value = await work(queries)
        if (failure) throw failure.error
        return value
      } finally {
        isOpen = false
      }
    },
    fail,
  }
}
