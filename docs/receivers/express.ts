import { readSecrets, verify, WebhookError } from '@partner-payments/webhooks'
import express, { type ErrorRequestHandler } from 'express'
import { inbox } from './inbox.ts'

// Refuses a wrong secret now, and not at the first delivery.
const secrets = readSecrets(process.env.WEBHOOK_SECRETS)
const app = express()

// The signature is of the bytes as they came: of every content type, and never unpacked (a packed
// body is refused).
const raw = express.raw({ type: () => true, inflate: false, limit: '128kb' })

// Before any express.json().
app.post('/webhooks', raw, async (request, response) => {
  // Undefined where no body came, which is the sender's fault and not a parser's.
  const body = request.body ?? ''
  await verify(body, request.headers, secrets)
  inbox.add(request.get('webhook-id') ?? '', body)
  response.status(204).end()
})

/** 400 for a wrong signature, which no retry corrects; else the service sends the event again. */
const refuse: ErrorRequestHandler = (error, _request, response, _next) => {
  if (error instanceof WebhookError && error.status === 400)
    return response.status(400).json({ code: error.code })
  const status = error.status ?? 500
  if (status >= 500) console.error(error)
  // Express itself would respond with the stack trace.
  response.status(status).end()
}
app.use(refuse)

export const server = app.listen(Number(process.env.PORT ?? 3000))
