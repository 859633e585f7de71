/** Waits, but only until the sandbox closes. */
export type Sleep = (ms: number) => Promise<void>

/** Maximum milliseconds for a whole body. */
const LONGEST = 60_000

/**
 * Sends the same response one byte at a time with a pause after each, or more bytes at a time if that would take too
 * long.
 */
export async function slowed(response: Response, ms: number, sleep: Sleep): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.byteLength === 0) return response
  const { status, headers } = response
  // With a content-length, the server would buffer the first pieces to count them.
  const sent = new Headers(headers)
  sent.set('content-length', String(bytes.byteLength))
  return new Response(streamOf(pieces(bytes, ms, sleep)), { status, headers: sent })
}

function streamOf(source: AsyncGenerator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await source.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await source.return(undefined)
    },
  })
}

async function* pieces(bytes: Uint8Array<ArrayBuffer>, ms: number, sleep: Sleep) {
  const size = Math.ceil((bytes.byteLength * ms) / LONGEST) || 1
  for (let at = 0; at < bytes.byteLength; at += size) {
    yield bytes.subarray(at, at + size)
    await sleep(ms)
  }
}
