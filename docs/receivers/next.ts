// app/webhooks/route.ts
import { verify, WebhookError } from '@partner-payments/webhooks'
import { inbox } from './inbox.ts'

const secrets = (process.env.WEBHOOK_SECRETS ?? '').split(/\s+/).filter(Boolean)
if (secrets.length === 0)
  throw new Error('WEBHOOK_SECRETS is empty: set it to the secret of the webhook')

export async function POST(request: Request): Promise<Response> {
  try {
    const body = await bytesOf(request, 64 * 1024)
    if (!body) return new Response(null, { status: 413 })
    await verify(body, request.headers, secrets)
    inbox.add(request.headers.get('webhook-id') ?? '', body)
    return new Response(null, { status: 204 })
  } catch (error) {
    return refuse(error, request.signal)
  }
}

function refuse(error: unknown, { aborted }: AbortSignal): Response {
  if (error instanceof WebhookError && error.status === 400)
    return Response.json({ code: error.code }, { status: 400 })
  // The client closed the connection: not our error, and nobody reads the response.
  if (aborted) return new Response(null, { status: 400 })
  console.error(error)
  return new Response(null, { status: 500 })
}

/** The body, or nothing where it is larger than the limit: a route handler has none of its own. */
async function bytesOf(request: Request, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
