import { serve } from '@hono/node-server'
import { readSecrets, verify, WebhookError } from '@partner-payments/webhooks'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { inbox } from './inbox.ts'

// Refuses a wrong secret now, and not at the first delivery.
const secrets = readSecrets(process.env.WEBHOOK_SECRETS)
const app = new Hono()

const limited = bodyLimit({ maxSize: 128 * 1024, onError: (context) => context.body(null, 413) })

// arrayBuffer(), not json() and not text(): the signature is of the bytes, not of what they mean.
app.post('/webhooks', limited, async (context) => {
  const body = await context.req.arrayBuffer()
  await verify(body, context.req.raw.headers, secrets)
  inbox.add(context.req.header('webhook-id') ?? '', body)
  return context.body(null, 204)
})

app.onError((error, context) => {
  if (error instanceof WebhookError && error.status === 400)
    return context.json({ code: error.code }, 400)
  // The client closed the connection: not our error, and nobody reads the response.
  if (context.req.raw.signal.aborted) return context.body(null, 400)
  console.error(error)
  return context.body(null, 500)
})

export const server = serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) })
