import { verify, WebhookError } from '@partner-payments/webhooks'

/** Stores the body of an event under its id, once. */
type Keep = (id: string, body: Uint8Array) => void | Promise<void>

/** A receiver for every server that has Request and Response. */
export async function receive(
  request: Request,
  secrets: readonly string[],
  keep: Keep,
): Promise<Response> {
  try {
    const body = await readBytes(request, 128 * 1024)
    if (!body) return new Response(null, { status: 413 })
    await verify(body, request.headers, secrets)
    await keep(request.headers.get('webhook-id') ?? '', body)
    return new Response(null, { status: 204 })
  } catch (error) {
    return refuse(error, request.signal)
  }
}

/**
 * The response to a request that was not stored: 400 for a wrong signature, which no retry
 * corrects, and 500 for our own error, after which the service sends the event again.
 */
function refuse(error: unknown, { aborted }: AbortSignal): Response {
  if (error instanceof WebhookError && error.status === 400)
    return Response.json({ code: error.code }, { status: 400 })
  // The client closed the connection: not our error, and nobody reads the response.
  if (aborted) return new Response(null, { status: 400 })
  console.error(error)
  return new Response(null, { status: 500 })
}

/** The body, or nothing where it is larger than the limit in bytes. */
async function readBytes(request: Request, limit: number): Promise<Uint8Array | undefined> {
  const reader = request.body?.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > limit) return undefined
    chunks.push(value)
  }
  return joinChunks(chunks, length)
}

function joinChunks(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let start = 0
  for (const chunk of chunks) {
    bytes.set(chunk, start)
    start += chunk.length
  }
  return bytes
}
