import type { HttpResponse } from '../model/http.ts'
import { noResponseReason } from './no-response-reason.ts'

/**
 * Limits an exchange from its first to its last byte. Never rejects: without a response, `status` is 0 and `text`
 * says why.
 *
 * @param ms Milliseconds.
 *
 * @example
 * const reply = await inTime((signal) => exchange(signal), 10_000)
 */
export async function withTimeout(
  exchange: (signal: AbortSignal) => Promise<HttpResponse>,
  ms: number,
  signal?: AbortSignal,
): Promise<HttpResponse> {
  const began = performance.now()
  const controller = new AbortController()
  const end = (reason: string) => controller.abort(new Error(reason))
  const abandon = () => end('the run was ended')
  const timer = setTimeout(() => end(`no complete response within ${ms} ms`), ms)
  if (signal?.aborted) abandon()
  signal?.addEventListener('abort', abandon)
  try {
    // Nothing is sent after an abort.
    controller.signal.throwIfAborted()
    return await Promise.race([rejectOnAbort(controller.signal), exchange(controller.signal)])
  } catch (error) {
    const reason: unknown = controller.signal.aborted ? controller.signal.reason : error
    return { status: 0, headers: {}, text: noResponseReason(reason), ms: performance.now() - began }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abandon)
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
