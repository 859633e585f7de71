import { verify, WebhookError } from '@partner-payments/webhooks'
import express, { type ErrorRequestHandler } from 'express'
import { inbox } from './inbox.ts'

const secrets = (process.env.WEBHOOK_SECRETS ?? '').split(/\s+/).filter(Boolean)
if (secrets.length === 0) throw new Error('WEBHOOK_SECRETS is empty: set it to the secret of the webhook')
const app = express()

// Before any express.json(), and for every content type: the signature is of the bytes, not of what they mean.
app.post('/webhooks', express.raw({ type: () => true, limit: '64kb' }), async (request, response) => {
  // Undefined where no body came, which is the sender's fault and not a parser's.
  const body = request.body ?? ''
  await verify(body, request.headers, secrets)
  inbox.add(request.get('webhook-id') ?? '', body)
  response.status(204).end()
})

const refuse: ErrorRequestHandler = (error, _request, response, _next) => {
  if (error instanceof WebhookError && error.status === 400)
    return response.status(400).json({ code: error.code })
  const status = error.status ?? 500
  if (status >= 500) console.error(error)
  // Express itself would answer with the stack.
  response.status(status).end()
}
app.use(refuse)

export const server = app.listen(Number(process.env.PORT ?? 3000))
