import { type Store, StoreUnavailable } from './store.ts'

/** Timeout of a survey in milliseconds. A million transfers take tens of seconds, and minutes on a busy machine. */
const SURVEY_MS = 900_000

/** Cancels surveys that take too long, or that are still running when the state is closed. */
export function createSurveys(survey: Store['survey'], limitMs = SURVEY_MS) {
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()

  async function run(...[selects, options]: Parameters<Store['survey']>) {
    const limit = AbortSignal.timeout(limitMs)
    const signal = AbortSignal.any([options.signal, closing.signal, limit])
    try {
      signal.throwIfAborted()
      return await survey(selects, { ...options, signal })
    } catch (cause) {
      if (!limit.aborted) throw cause
      throw new StoreUnavailable(`the survey took longer than ${limitMs} ms`, { cause })
    }
  }

  return {
    run(...args: Parameters<Store['survey']>) {
      const ended = run(...args).finally(() => running.delete(ended))
      running.add(ended)
      return ended
    },
    async close() {
      closing.abort(new StoreUnavailable('the state is being closed'))
      await Promise.allSettled(running)
    },
  }
}
