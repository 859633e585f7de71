/** Waits, and no longer than until the sandbox closes. */
export type Sleep = (ms: number) => Promise<void>

/** Milliseconds that a body takes at most. */
const LONGEST = 60_000

/** The same answer, its body a byte at a time with a pause after each; more bytes where that would take too long. */
export async function slowed(answer: Response, ms: number, sleep: Sleep): Promise<Response> {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  if (bytes.byteLength === 0) return answer
  const { status, headers } = answer
  // Without its length, a server would hold the first pieces back to count them.
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
