// app/webhooks/route.ts
import { verify, WebhookError } from '@partner-payments/webhooks'
import { inbox } from './inbox.ts'

const secrets = (process.env.WEBHOOK_SECRETS ?? '').split(' ').filter(Boolean)

export async function POST(request: Request): Promise<Response> {
  const body = await bytesOf(request, 64 * 1024)
  if (!body) return new Response(null, { status: 413 })
  try {
    const event = await verify(body, request.headers, secrets)
    inbox.add(request.headers.get('webhook-id') ?? '', event)
    return new Response(null, { status: 204 })
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    return Response.json({ code: error.code }, { status: 400 })
  }
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
